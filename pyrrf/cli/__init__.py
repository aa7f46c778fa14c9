"""The command ``pyrrf``, which is an extra: ``pip install "pyrrf[cli]"``."""
