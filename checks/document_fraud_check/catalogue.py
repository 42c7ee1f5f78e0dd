"""Every indicator, in the order in which it runs. To add one, add a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from checks.document_fraud_check.content import (
    crosschecks,
    dates,
    days,
    fingerprints,
    forms,
    officers,
    text,
)
from checks.document_fraud_check.content.fingerprints import Earlier
from checks.document_fraud_check.file import (
    content_credentials,
    issuers,
    metadata,
    revisions,
    safety,
    signatures,
    traces,
)
from checks.document_fraud_check.page import (
    fonts,
    misdrawn,
    overlays,
    pictures,
    text_layers,
    unseen,
)
from checks.document_fraud_check.rules import Rule
from checks.evidence import Evidence

INDICATORS: tuple[Rule[Evidence], ...] = (
    safety.malformed,
    safety.too_large,
    safety.password,
    safety.encrypted,
    safety.active_content,
    safety.embedded_file,
    revisions.revision_text_changed,
    revisions.revision_text_added,
    revisions.revision_pixels_changed,
    revisions.revision_content_identical,
    revisions.revision_pages_changed,
    revisions.revision_values_changed,
    traces.page_packed_anew,
    signatures.signature_broken,
    signatures.changed_after_signature,
    signatures.signature_valid_trusted,
    signatures.signature_valid_untrusted,
    signatures.signature_present,
    signatures.bytes_after_signature,
    overlays.text_covered,
    overlays.text_under_image,
    overlays.text_blacked_out,
    overlays.annotation_overlay,
    overlays.words_on_patch,
    overlays.patch_over_scan,
    overlays.text_overlap,
    text_layers.hidden_layer_mismatch,
    unseen.facts_unseen,
    misdrawn.text_unlike_page,
    fonts.font_outlier,
    fonts.font_rare_unembedded,
    traces.letters_of_font_unshown,
    metadata.producer_conflict,
    metadata.editing_tool,
    metadata.writer_rewritten,
    metadata.writer_mismatch,
    issuers.issuer_producer_known,
    issuers.issuer_producer_unexpected,
    issuers.issuer_signature_missing,
    issuers.issuer_signature_removed,
    issuers.issuer_record_without_text,
    metadata.metadata_missing,
    dates.modified_long_after_issue,
    dates.created_before_document_date,
    dates.future_date,
    dates.xmp_date_conflict,
    days.date_contradicted,
    text.placeholder_or_sample,
    text.amounts_inconsistent,
    text.image_only_document,
    issuers.issuer_text_missing,
    text.drawn_letters,
    crosschecks.qr_matches_text,
    crosschecks.qr_conflicts,
    crosschecks.number_checksum_ok,
    crosschecks.number_checksum_bad,
    crosschecks.iban_checksum_bad,
    crosschecks.number_encodes_conflict,
    issuers.issuer_code_missing,
    officers.issuing_officer_plausible,
    officers.issuing_officer_implausible,
    pictures.duplicated_glyphs,
    pictures.patch_without_grain,
    pictures.added_between_saves,
    issuers.issuer_page_redrawn,
    pictures.compression_inconsistent,
    pictures.exif_editor,
    pictures.no_camera_data,
    content_credentials.c2pa_valid,
    content_credentials.c2pa_invalid,
    content_credentials.ai_generated,
)
# These indicators need facts that are not in the file: other cases, and how the examination ended.
OF_OTHER_CASES: Rule[Sequence[Earlier]] = fingerprints.reused_in_other_case
OF_THE_FORM: Rule[Sequence[Earlier]] = forms.same_form_in_other_case
OF_THE_END: Rule[str] = safety.timed_out

EVERY: tuple[Rule[Any], ...] = (*INDICATORS, OF_OTHER_CASES, OF_THE_FORM, OF_THE_END)
