"""For schemathesis.toml: which valid requests may be refused all the same.

What fields of one request say about each other and about what is kept, and how many digits a number
has, no JSON Schema can say. Any other refusal of what the document allows is a fault of the document.
"""

import os
import re

import schemathesis

# That of the caller, and one of another user, which requests may end.
SESSION, SPARE_SESSION = os.environ.get("SESSION"), os.environ.get("SPARE_SESSION")

BETWEEN_FIELDS = re.compile(
    "|".join(
        [
            r"must not be before (invoiceDate|invoiceDateFrom|from) ",
            r"must not be later than (one year after today|ten years after invoiceDate) ",
            r"must be unique; lines\[",
            r"must not be before from ",
            r"must have from or to, or both",
            r"must have id or invoiceNumber",
            r"must be unique; precedingInvoices\[",
            r"(is required when|is (allowed only|not allowed) with) type( is)? CREDIT_NOTE",
            r"must be one of 0, 7, 10, 14, 20 \(percent\); got (8|9|11|12|13|15|16|18)$",
            r"is not an invoice of your organization; got",
            r"is this document itself: name an earlier one$",
            r"is required: your organization has no invoice numbered",
            r"must be that of (the invoice,|invoice )",
            r"must not be before that of invoice ",
            r"cannot be changed: this document is",
            r"must have either rib or iban",
            r"has wrong check digits",
            r"must not contain the character U\+[0-9A-F]{5,} ",
            r"must begin with the code of the country",
            r"is required when buyerType is BUSINESS",
            r"or buyerIf is required when a line has the VAT category AE",
            r"is required: the lines have ",
            r"must be E, G, AE or O when vatRate is 0",
            r"is allowed only with (vatRate 0; got|paymentMethod CASH)",
            r"must be a country other than MA",
            r"O cannot be combined with other VAT categories",
            r"must be omitted when the VAT category is O",
            r"must have either amount or percent",
            r"must be that of a line; no line has",
            r"must not exceed the (amount of the line|lines|total including VAT)",
            r"must leave at least the VAT withheld, ",
            r"must have at most \d digits after the decimal point, as the currency has",
            r"the amount has more than 15 significant digits",
            r"must have at most 12 digits before and 10 after the decimal point",
            r"must stay within the newest 10000 entries",
            r"cannot be used for another key",
            r"is not your password",
            r"is too easy to guess: ",
            r"is incorrect, or was already used",
            r"is not the code that the app shows now",
            r"cannot be checked, because no new secret",
            r"was not made for this page and session",
            r"needs a second factor first",
            r"can no longer be changed, since ",
            r"must be later than now, and at most ",
            r"must be an IP address or a network such as ",
            r"must be a date and time such as ",
            r"cannot be invited: the organization has",
            r"is not valid: it was used, ",
            r"is not one of your organizations: ",
            r"is already your address: ",
            r"cannot get a link, because this service sends no email",
        ]
    )
)

# The judge takes `If-Match: 0` for what the document allows, although its pattern does not.
ENTITY_TAG = re.compile(r'^(\*|"[!#-~]+")$')


@schemathesis.check
def valid_data_is_refused_for_rules_between_fields_alone(_ctx, response, case):
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or response.status_code != 400:
        return
    is_tag = ENTITY_TAG.match((case.headers or {}).get("If-Match", "*"))
    for fault in response.json()["errors"] or [{"field": "", "message": response.text}]:
        if fault["field"] == "If-Match" and not is_tag:
            continue
        assert BETWEEN_FIELDS.match(fault["message"]), f"{fault['field']} {fault['message']}"


def declares_no_security(case):
    return case.operation.definition.raw.get("security") == []


@schemathesis.hook
def before_call(_ctx, case, _kwargs):
    """After a 401 schemathesis sends the session to operations that declare none, such as sign-in."""
    if SPARE_SESSION and declares_no_security(case) and "session" in (case.cookies or {}):
        case.cookies["session"] = SPARE_SESSION


@schemathesis.check
def session_stays_open(_ctx, response, case):
    """Once it has ended, no other answer to the operations of a session would be checked."""
    if SESSION is None or response.request.headers.get("Cookie") != f"session={SESSION}":
        return
    assert not declares_no_security(case), "signing in would end the session"
    if response.status_code in (401, 403):
        code = response.json()["code"]
        assert code == "CSRF_REFUSED", f"{code} after {session_stays_open.accepted}"
    elif response.status_code < 300:
        session_stays_open.accepted = case.operation.label


session_stays_open.accepted = "no accepted request"
