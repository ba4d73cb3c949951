"""Text as LaTeX reads it: special characters escaped, the papers' symbols as commands."""

import re

_COMMANDS = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "–": "--",
        "—": "---",
        "…": r"\ldots{}",
        "’": "'",
        "“": "``",
        "”": "''",
        "§": r"$\S$",
        "†": r"$\dagger$",
        "‡": r"$\ddagger$",
        "\u2068": "",  # around names written from the right
        "\u2069": "",
    }
    | {
        symbol: f"${command}$"
        for symbol, command in {
            "⋆": r"\star",
            "≀": r"\wr",
            "−": "-",
            "×": r"\times",
            "·": r"\cdot",
            "±": r"\pm",
            "≤": r"\leq",
            "≥": r"\geq",
            "≈": r"\approx",
            "∝": r"\propto",
            "√": r"\surd",
            "→": r"\to",
            "²": "^2",
            "₂": "_2",
            "⌈": r"\lceil",
            "⌉": r"\rceil",
            "Σ": r"\Sigma",
            "Φ": r"\Phi",
            "α": r"\alpha",
            "β": r"\beta",
            "δ": r"\delta",
            "θ": r"\theta",
            "κ": r"\kappa",
            "μ": r"\mu",
            "ν": r"\nu",
            "π": r"\pi",
            "ρ": r"\rho",
            "σ": r"\sigma",
            "τ": r"\tau",
        }.items()
    }
)


def latex(text: str) -> str:
    """The text, to be typeset as it is; hyphens in a row do not become a dash."""
    return "-{}".join(part.translate(_COMMANDS) for part in re.split("-(?=-)", text))
