"""A kernel of its own for each report: this interpreter, and none of the user's settings."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from traitlets import Unicode, default
from traitlets.config import Config

_LOG = "kernel.log"


class PrivateKernel(AsyncKernelManager):
    """Starts this interpreter as kernel ``python3``, with its own files in a scratch folder.

    A kernelspec named ``python3`` in a user's Jupyter folder may point at another environment,
    one without this package or with another version of it.

    Examples
    --------
    >>> import sys
    >>> from toolkit.report.kernel import PrivateKernel
    >>> PrivateKernel(kernel_name="python3").kernel_spec.argv[0] == sys.executable
    True
    """

    scratch = Unicode(help="Existing folder for IPython's own files and the log.").tag(config=True)

    @default("kernel_spec_manager")
    def _native_kernel_only(self) -> KernelSpecManager:
        return KernelSpecManager(kernel_dirs=[])

    # The parent runs the same coroutine, but is typed as if it did not.
    async def start_kernel(self, **options: Any) -> None:  # type: ignore[override]
        """Start the kernel; what it logs about itself goes to a file, not to the terminal.

        Parameters
        ----------
        **options : object
            As for ``jupyter_client.AsyncKernelManager``.
        """
        env = {**os.environ, "IPYTHONDIR": self.scratch}
        with Path(self.scratch, _LOG).open("wb") as log:  # noqa: ASYNC230 - opened in no time
            await super().start_kernel(env=env, stderr=log, **options)


def kernel_options(scratch: Path) -> dict[str, Any]:
    """Build the options that make papermill start such a kernel.

    Parameters
    ----------
    scratch : pathlib.Path
        Existing temporary folder for the connection file, IPython's own files and the log.

    Returns
    -------
    dict of str to object
        Keyword arguments for ``papermill.execute_notebook``.

    Notes
    -----
    The caller's folder is kept off ``sys.path``: a folder or file there that happens to be called
    ``toolkit`` or ``pandas`` must not replace the installed one.

    Examples
    --------
    >>> from pathlib import Path
    >>> from toolkit.report.kernel import kernel_options
    >>> kernel_options(Path("scratch"))["kernel_manager_class"].__name__
    'PrivateKernel'
    """
    settings = {
        "scratch": str(scratch),
        "connection_file": str(scratch / "connection.json"),
    }
    return {
        "kernel_manager_class": PrivateKernel,
        "config": Config({"PrivateKernel": settings}),
        "extra_arguments": ["--InteractiveShellApp.ignore_cwd=True"],
    }


def last_words(scratch: Path) -> str:
    """Read what a kernel that died logged last.

    Parameters
    ----------
    scratch : pathlib.Path
        The folder given to `kernel_options`.

    Returns
    -------
    str
        Its last line, empty if there is none.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from toolkit.report.kernel import last_words
    >>> with tempfile.TemporaryDirectory() as scratch:
    ...     last_words(Path(scratch))
    ''
    """
    log = scratch / _LOG
    lines = log.read_text(errors="replace").split("\n") if log.exists() else []
    return next((line for line in reversed(lines) if line.strip()), "")
