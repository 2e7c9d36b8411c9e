"""Words beside which secrets stand: a text without any of them holds nothing to mask."""

# In lower case.
HINTS_OF_FORMS = (
    *("sk-", "akia", "asia", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "bearer"),
    *("authorization", "private key"),
)
TELLING_WORDS = ("key", "token", "secret", "password", "passwd", "passphrase")


def may_hold_a_secret(lowered: str) -> bool:
    return has_any(lowered, HINTS_OF_FORMS) or has_any(lowered, TELLING_WORDS)


def has_any(lowered: str, words: tuple[str, ...]) -> bool:
    return any(word in lowered for word in words)
