"""Forms of connections and agents, for the pages and the admin. Both keep stored keys at their host."""

from __future__ import annotations

from compliance.pages.secrets_form import SecretsForm
from reviews.models import Connection


class ConnectionForm(SecretsForm):
    def clean(self) -> dict[str, object]:
        cleaned = super().clean()
        old = self.initial.get("base_url")
        new = cleaned.get("base_url")
        # If the address changes, the stored API key must be entered again: it must not reach a new
        # host.
        if self.instance.api_key and old and new:
            self.refuse_stored("api_key", old, new)
        return cleaned


class AgentForm(SecretsForm):
    """Requires the agent key again if the agent would be sent to another host.

    This happens when the agent moves to another connection. ConnectionForm covers a changed address
    of the connection.
    """

    def clean(self) -> dict[str, object]:
        cleaned = super().clean()
        if self.instance._state.adding:
            return cleaned
        connection = cleaned.get("connection") or self.instance.connection
        if connection is not None:
            before = Connection.objects.get(agents=self.instance.pk)
            self.refuse_stored("agent_key", before.base_url, connection.base_url)
        return cleaned
