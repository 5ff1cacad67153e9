import pytest

from memory import llm
from memory.errors import Unconfigured
from memory.llm import settings


def test_from_environment_nothing_set_means_patterns_and_the_local_embedder() -> None:
    assert llm.from_environment({}) == llm.Settings(embedding_model="local")


def test_from_environment_key_alone_takes_the_default_model() -> None:
    made = llm.from_environment({"OPENAI_API_KEY": "k"})

    assert (made.chat_model, made.base_url) == (settings.DEFAULT_CHAT_MODEL, settings.DEFAULT_BASE_URL)


def test_from_environment_all_set_is_all_taken() -> None:
    made = llm.from_environment(
        {
            "OPENAI_API_KEY": " k ",
            "OPENAI_BASE_URL": "http://localhost:8080/v1/",
            "ASSAY_MODEL": "qwen",
            "ASSAY_EMBEDDING_MODEL": "bge",
            "ASSAY_EMBEDDING_DIMENSIONS": "256",
        }
    )

    assert made == llm.Settings("k", "http://localhost:8080/v1", "qwen", "bge", 256)


def test_from_environment_address_without_a_key_is_an_endpoint() -> None:
    assert llm.from_environment({"OPENAI_BASE_URL": "http://localhost:1/v1"}).chat_model == settings.DEFAULT_CHAT_MODEL


def test_from_environment_blank_is_unset() -> None:
    assert llm.from_environment({"OPENAI_API_KEY": " ", "ASSAY_MODEL": "x"}).chat_model == ""


@pytest.mark.parametrize(
    "env",
    [
        {"OPENAI_BASE_URL": "localhost:8080"},
        {"OPENAI_BASE_URL": "ftp://models.example/v1"},
        {"ASSAY_EMBEDDING_DIMENSIONS": "many"},
        {"ASSAY_EMBEDDING_DIMENSIONS": "0"},
        {"ASSAY_MODEL_DEADLINE": "soon"},
        {"ASSAY_MODEL_DEADLINE": "0"},
        {"ASSAY_MODEL_DEADLINE": "3601"},
        {"ASSAY_EMBEDDING_DIMENSIONS": "-3"},
        {"ASSAY_EMBEDDING_DIMENSIONS": "3585"},
        {"ASSAY_EMBEDDING_DIMENSIONS": "²"},
        {"ASSAY_EMBEDDING_MODEL": "bge"},
    ],
)
def test_from_environment_unusable_value_is_refused(env: dict[str, str]) -> None:
    with pytest.raises(Unconfigured):
        llm.from_environment(env)


def test_settings_shown_do_not_show_the_key() -> None:
    assert "k-secret" not in repr(llm.Settings(api_key="k-secret"))
