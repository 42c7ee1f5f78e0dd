"""Request shapes of cases: the kyb_schema and the kyc_schema.

They only validate. The body is stored as received, including members that are not declared here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from rest_framework import serializers

from agenthub.documents import fetching
from agenthub.schemas import fields
from agenthub.schemas.fields import Constant, Flag, Name, Text, TextOrTexts
from agenthub.wire import JsonObject
from compliance.http import references

# A field of any type, in the notation of REST framework's type stubs.
AnyField = serializers.Field[Any, Any, Any, Any]


class Shape(serializers.Serializer[object]):
    """A JSON object of which some members are known."""


def optional(shape: type[Shape]) -> Shape:
    return shape(required=False, allow_null=True)


def many(
    child: Callable[[], AnyField],
) -> serializers.ListField:
    return fields.List(
        child=child(),
        required=False,
        allow_null=True,
    )


MOST_VALUES = 100_000  # of a schema, with all that is nested in it
# Characters of a text in a member that is not declared, such as the data of another provider.
LONGEST_UNDECLARED = 100_000
# The reference of an existing case: any name that was ever accepted.
case_id = partial(Text, max_length=references.LONGEST)


class Address(Shape):
    type = Constant("Address", required=False, allow_null=True)
    street_1 = fields.text()
    street_2 = fields.text()
    city = fields.text()
    state = fields.text()
    country_code = fields.country()
    postal_code = fields.text()


class Document(Shape):
    type = Constant("Document", required=False, allow_null=True)
    url = fields.url(max_length=fields.LONGEST_DOCUMENT_URL)
    b64_document = Name(required=False, allow_null=True, max_length=None)
    file_name = fields.text()
    description = fields.prose()
    source_type = fields.text()
    num_pages = serializers.IntegerField(required=False, allow_null=True, min_value=0)

    def validate(self, attrs: JsonObject) -> JsonObject:
        if not attrs.get("url") and not attrs.get("b64_document"):
            words = "A document needs url or b64_document."
            raise serializers.ValidationError({"url": words}, code="required")
        reason = fetching.refusal(attrs.get("b64_document") or "")
        if reason:
            words = f"The document {reason}."
            raise serializers.ValidationError(
                {"b64_document": words}, code="not_a_document"
            )
        return attrs


class IdData(Shape):
    first_name = fields.text()
    last_name = fields.text()
    middle_names = fields.text()
    date_of_birth = fields.day()
    document_type = fields.text()
    document_number = fields.text()
    expiration_date = fields.day()
    address = optional(Address)
    issuing_country = fields.text()
    phone = fields.text()
    front_image_url = fields.url(max_length=fields.LONGEST_DOCUMENT_URL)
    back_image_url = fields.url(max_length=fields.LONGEST_DOCUMENT_URL)
    face_match_image_url = fields.url(max_length=fields.LONGEST_DOCUMENT_URL)
    face_match_video_url = fields.url(max_length=fields.LONGEST_DOCUMENT_URL)
    mrz = many(partial(Text, allow_blank=True))
    vendor_name = fields.text()
    vendor_verification_url = fields.url()
    vendor_validated = Flag(required=False, allow_null=True)
    vendor_data = serializers.DictField(required=False, allow_null=True)


class GovernmentId(Shape):
    id_data = optional(IdData)


class IndividualData(Shape):
    first_name = Name()
    last_name = Name()
    middle_name = fields.text()
    name_prefix = fields.text()
    name_suffix = fields.text()
    date_of_birth = fields.day()
    address = optional(Address)
    associated_addresses = many(Address)
    country_of_nationality = fields.country()
    country_of_residence = fields.country()
    place_of_birth = fields.text()
    sex = fields.text()
    email = fields.text()
    phone = fields.text()
    title = fields.text()
    proof_of_address_documents = many(Document)
    source_of_funds_documents = many(Document)
    government_id_verification_data = optional(GovernmentId)


class CaseShape(Shape):
    """A schema of a case. Members that are not declared are kept, within limits."""

    def to_internal_value(self, data: object) -> object:
        refuse_what_is_too_long(data)
        return super().to_internal_value(data)


class KycSchema(CaseShape):
    id = fields.CaseId()
    self_attested_data = IndividualData()


class BusinessData(Shape):
    business_name = fields.text()
    registered_business_name = fields.text()
    address_of_incorporation = optional(Address)
    address_of_operation = optional(Address)
    website = TextOrTexts(required=False, allow_null=True)
    business_purpose = fields.prose()
    description = fields.prose()
    industry = fields.text()
    tin_number = fields.text()
    incorporation_date = fields.day()
    mcc_code = fields.text()
    business_registration_number = fields.text()
    contact_email_address = fields.text()
    contact_phone_number = fields.text()
    incorporation_documents = many(Document)
    business_ownership_documents = many(Document)
    proof_of_address_documents = many(Document)
    source_of_funds_documents = many(Document)
    ein_documents = many(Document)
    promo_marketing_documents = many(Document)

    def validate(self, attrs: JsonObject) -> JsonObject:
        names = ("business_name", "registered_business_name", "website")
        values = [attrs.get(name) for name in names]
        if not any(map(_says_something, values)):
            words = "business_name or registered_business_name is required unless website is given."
            raise serializers.ValidationError({"business_name": words}, code="required")
        return attrs


class KybSchema(CaseShape):
    id = fields.CaseId()
    self_attested_data = BusinessData()
    associated_individuals = many(KycSchema)


def refuse_what_is_too_long(schema: object) -> None:
    """Refuse a schema that no check could read in time, also for undeclared members.

    Raises ValidationError.
    """
    rest: list[tuple[str, object]] = [("", schema)]
    count = 0
    while rest:
        name, value = rest.pop()
        count += 1
        if count > MOST_VALUES:
            words = f"The schema has more than {MOST_VALUES} values."
            raise serializers.ValidationError(words, code="max_length")
        if isinstance(value, dict):
            rest += value.items()
        elif isinstance(value, list):
            rest += [(name, entry) for entry in value]
        elif name != "b64_document" and _is_too_long(value):
            words = f"{name[:200]}: at most {LONGEST_UNDECLARED} characters."
            raise serializers.ValidationError(words, code="max_length")


def _is_too_long(value: object) -> bool:
    return isinstance(value, str) and len(value) > LONGEST_UNDECLARED


def _says_something(value: str | list[str] | None) -> bool:
    if isinstance(value, list):
        return any(text.strip() for text in value)
    return bool(value and value.strip())
