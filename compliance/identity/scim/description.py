"""The description of this service for directories (RFC 7643, sections 5 to 7)."""

from __future__ import annotations

from compliance.identity.scim import groups, users

LIST = "urn:ietf:params:scim:api:messages:2.0:ListResponse"
SEARCH = "urn:ietf:params:scim:api:messages:2.0:SearchRequest"
MOST_ROWS = 200


def _attribute(name: str, kind: str = "string", **more: object) -> dict[str, object]:
    return {
        "name": name,
        "type": kind,
        "multiValued": False,
        "required": False,
        "caseExact": False,
        "mutability": "readWrite",
        "returned": "default",
        "uniqueness": "none",
        **more,
    }


SERVICE: dict[str, object] = {
    "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
    "patch": {"supported": True},
    "bulk": {"supported": False, "maxOperations": 0, "maxPayloadSize": 0},
    "filter": {"supported": True, "maxResults": MOST_ROWS},
    "changePassword": {"supported": False},
    "sort": {"supported": False},
    "etag": {"supported": False},
    "authenticationSchemes": [
        {
            "type": "oauthbearertoken",
            "name": "Bearer token",
            "description": "A token of the command scim_token.",
            "primary": True,
        }
    ],
}
RESOURCE_TYPES: list[dict[str, object]] = [
    {
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
        "id": name,
        "name": name,
        "endpoint": f"/{name}s",
        "schema": schema,
    }
    for name, schema in (("User", users.SCHEMA), ("Group", groups.SCHEMA))
]
_NAME = [_attribute("givenName"), _attribute("familyName")]
# One address is kept for each person.
_EMAIL = [
    _attribute("value"),
    _attribute("type", mutability="readOnly", canonicalValues=["work"]),
    _attribute("primary", "boolean", mutability="readOnly"),
]


def _reference(resource: str, kind: str, mutability: str) -> list[dict[str, object]]:
    """The parts of an attribute that names another resource by its id."""
    return [
        _attribute("value", caseExact=True, required=True, mutability=mutability),
        _attribute(
            "$ref", "reference", mutability=mutability, referenceTypes=[resource]
        ),
        _attribute("display", mutability="readOnly"),
        _attribute("type", mutability="readOnly", canonicalValues=[kind]),
    ]


SCHEMAS: list[dict[str, object]] = [
    {
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
        "id": users.SCHEMA,
        "name": "User",
        "attributes": [
            _attribute("userName", required=True, uniqueness="server"),
            _attribute("externalId", caseExact=True),
            _attribute("name", "complex", subAttributes=_NAME),
            _attribute("displayName", mutability="readOnly"),
            _attribute("active", "boolean"),
            _attribute("emails", "complex", multiValued=True, subAttributes=_EMAIL),
            _attribute(
                "groups",
                "complex",
                multiValued=True,
                mutability="readOnly",
                subAttributes=_reference("Group", "direct", "readOnly"),
            ),
        ],
    },
    {
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
        "id": groups.SCHEMA,
        "name": "Group",
        "attributes": [
            _attribute("displayName", required=True, uniqueness="server"),
            _attribute("externalId", caseExact=True),
            _attribute(
                "members",
                "complex",
                multiValued=True,
                subAttributes=_reference("User", "User", "immutable"),
            ),
        ],
    },
]
