"""Human evaluation of machine translation: judgements to rankings that can be defended."""

__version__ = "0.1.0"
