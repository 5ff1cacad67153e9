"""The pages of the policy: what it is, what another would do, and the versions there were."""
