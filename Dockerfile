FROM python:3.13-slim-bookworm

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    ASSAY_DATA_DIR=/tmp

RUN useradd --system --uid 10001 --create-home assay

WORKDIR /srv/assay
COPY requirements.lock ./
RUN pip install --no-cache-dir --require-hashes --requirement requirements.lock

COPY manage.py ./
COPY memory ./memory
COPY reviewer ./reviewer
COPY templates ./templates
COPY static ./static
COPY locale ./locale
# No secret is used: nothing but files is read and written here.
RUN python -m compileall -q memory reviewer \
    && SECRET_KEY=only-for-collecting-static-files-while-the-image-is-built \
       ALLOWED_HOSTS=build ASSAY_ERASURE_KEY=only-for-collecting-static-files-in-here \
       python manage.py collectstatic --no-input

USER assay
EXPOSE 8000
CMD ["granian", "--interface=wsgi", "--host=0.0.0.0", "--port=8000", "--blocking-threads=8", "reviewer.wsgi:application"]
