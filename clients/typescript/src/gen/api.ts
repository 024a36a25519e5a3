/** Made by openapi-typescript from the OpenAPI document: `npm run generate`. */

export interface paths {
    "/v1/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's invoices, page by page, without their lines.
         * @description Newest first unless `sort` says otherwise. Filters are combined with AND. Amounts are in the currency of each invoice.
         */
        get: operations["listInvoices"];
        put?: never;
        /**
         * Create an invoice: computed and signed before the answer, cleared after it.
         * @description All or nothing: after an error nothing is stored and the number stays free; after 500, 503 or no answer the whole invoice may exist. Safe to retry: an existing number returns 409 INVOICE_NUMBER_EXISTS.
         */
        post: operations["createInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the PDF of an invoice without creating it.
         * @description Takes the same body as a creation and checks it in the same way. Nothing is stored and the number stays free; every page is marked as a draft. `draft` is ignored.
         */
        post: operations["previewInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one invoice, with its lines and the decision of the tax authority.
         * @description The `dgi…` fields are null until the tax authority has answered. To poll, use `…/status`: it is smaller.
         */
        get: operations["readInvoice"];
        /**
         * Change a PENDING invoice.
         * @description Only the fields you send change. `null` clears an optional field; lines are replaced as a whole.
         */
        put: operations["updateInvoice"];
        post?: never;
        /**
         * Cancel a PENDING invoice; its number cannot be reused.
         * @description Only drafts can be cancelled. A signed invoice is corrected by a credit note.
         */
        delete: operations["cancelInvoice"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the clearance status of an invoice.
         * @description Poll with increasing pauses until ACCEPTED, REJECTED or FAILED. A rejection is not an HTTP error: `dgiErrorCode` and `dgiErrorMessage` say why.
         */
        get: operations["readInvoiceStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign a PENDING invoice and start its clearance.
         * @description Locks the content permanently and returns SIGNED. Takes no body. 400 if the dates of the draft are out of range by now: change them first.
         */
        post: operations["signInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/resubmit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a FAILED invoice to the tax authority again.
         * @description The same document under the same number; it is never reported twice. Takes no body.
         */
        post: operations["resubmitInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/credit-note": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a credit note for a whole invoice, or for some of its lines.
         * @description Copies buyer, lines, allowances and charges from the invoice, so that a credit note of the whole invoice has exactly its totals. Answers and errors are those of a creation.
         */
        post: operations["creditInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the signed UBL 2.1 XML, the legal original; from SIGNED on.
         * @description Exactly the bytes that were signed: store them, never a reformatted copy.
         */
        get: operations["downloadXml"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the PDF, the readable copy; from SIGNED on.
         * @description The PDF is marked while the invoice awaits clearance; once ACCEPTED it shows the QR code. PDF/A-3a and PDF/UA-1: it embeds the signed XML, and prints its SHA-256.
         */
        get: operations["downloadPdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/qr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the clearance QR code as PNG; once ACCEPTED.
         * @description The QR code leads to the page of the tax authority that confirms the clearance.
         */
        get: operations["downloadQr"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a signed XML file: which check fails and why, who signed, when.
         * @description Answers 200 for any file, valid or not; nothing is stored. The file is at most 16 MiB, sent as it is. `einvoicing verify --trusted FILE` makes the same checks offline, except `held`; the operator hands the file with the trusted authorities over.
         */
        post: operations["verifyDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        InvoicePage: {
            content: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                organizationId: string;
                invoiceNumber: string;
                /** @enum {string} */
                type: "INVOICE" | "CREDIT_NOTE" | "PREPAYMENT_INVOICE";
                /** @enum {string} */
                status: "PENDING" | "SIGNED" | "TRANSMITTED" | "ACCEPTED" | "REJECTED" | "FAILED" | "CANCELLED";
                /** @description With an id if your organization has the invoice. */
                precedingInvoices: {
                    /** Format: uuid */
                    id: string | null;
                    invoiceNumber: string;
                    /** Format: date */
                    invoiceDate: string;
                }[] | null;
                correctionReason: string | null;
                issuerIce: string;
                issuerName: string;
                /** Format: date */
                dueDate: string | null;
                buyerIce: string | null;
                buyerName: string | null;
                buyerAddress: string | null;
                buyerCity: string | null;
                buyerCountry: string | null;
                buyerIf: string | null;
                buyerType: string | null;
                note: string | null;
                buyerReference: string | null;
                purchaseOrderNumber: string | null;
                contractNumber: string | null;
                deliveryNoteNumber: string | null;
                /** Format: date */
                deliveryDate: string | null;
                deliveryAddress: string | null;
                deliveryCountry: string | null;
                paymentTerms: string | null;
                paymentReference: string | null;
                servicePeriod: {
                    /** Format: date */
                    from: string | null;
                    /** Format: date */
                    to: string | null;
                } | null;
                paymentAccount: {
                    rib: string | null;
                    iban: string | null;
                    bic: string | null;
                    name: string | null;
                } | null;
                /** @enum {string} */
                currency: "AED" | "AFN" | "ALL" | "AMD" | "ANG" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BGN" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG";
                /** @enum {string} */
                paymentMethod: "BANK_TRANSFER" | "CASH" | "CHECK" | "CARD" | "OTHER";
                prepaidAmount: number | null;
                allowances: {
                    /** @description As sent, or computed from percent. */
                    amount: number;
                    percent: number | null;
                    vatRate: number | null;
                    vatCategory: string | null;
                    reason: string;
                    reasonCode: string | null;
                }[] | null;
                charges: {
                    /** @description As sent, or computed from percent. */
                    amount: number;
                    percent: number | null;
                    vatRate: number | null;
                    vatCategory: string | null;
                    reason: string;
                    reasonCode: string | null;
                }[] | null;
                stampDuty: boolean | null;
                vatWithholdingPercent: number | null;
                /** @description Sum of the lines. */
                lineTotalHt: number;
                /** @description Sum of the allowances of the document. */
                allowanceTotal: number;
                /** @description Sum of the charges of the document. */
                chargeTotal: number;
                /** @description Total including VAT, less the prepaid amount. */
                amountDue: number;
                stampDutyAmount: number | null;
                vatWithheldAmount: number | null;
                amountAfterWithholding: number | null;
                /** @description Total excluding VAT, computed. */
                amountHt: number;
                /** @description Total VAT, computed. */
                amountVat: number;
                /** @description Total including VAT, computed. */
                amountTtc: number;
                /** Format: date */
                invoiceDate: string;
                /** @description Clearance reference; null until ACCEPTED. */
                dgiReference: string | null;
                /** @description The text inside the QR image; null until ACCEPTED. */
                dgiQrCode: string | null;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                updatedAt: string;
                /** Format: date-time */
                dgiSubmittedAt: string | null;
                /** Format: date-time */
                dgiValidatedAt: string | null;
                /** Format: date-time */
                dgiRejectedAt: string | null;
                /** @description Why it was REJECTED or FAILED. */
                dgiErrorCode: string | null;
                dgiErrorMessage: string | null;
            }[];
            page: number;
            size: number;
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
        };
        NewInvoice: {
            /** @description No space at either end, and no invisible character; stored in Unicode NFC, at most 64 characters in that form. Unique per organization for ever: sending it again returns 409 and creates nothing. */
            invoiceNumber: string;
            /**
             * Format: date
             * @description From 2000-01-01 to one year after today (Africa/Casablanca).
             */
            invoiceDate: string;
            /**
             * @description ISO 4217.
             * @enum {string}
             */
            currency: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG";
            /** @enum {string} */
            paymentMethod: "BANK_TRANSFER" | "CASH" | "CHECK" | "CARD" | "OTHER";
            lines: {
                /** @description Unique within the invoice. */
                lineNumber: number;
                description: string;
                /** @description At most 10 digits after the decimal point. */
                quantity: number;
                /** @description Excluding VAT, in the currency of the invoice. At most 10 digits after the decimal point. */
                unitPrice: number;
                /**
                 * @description Percent; 8, 9, 11, 12, 13, 15, 16, 18 on a CREDIT_NOTE only, as its original has.
                 * @enum {integer}
                 */
                vatRate: 0 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 18 | 20;
                unit?: string | null;
                vatExemptionReason?: string | null;
                itemCode?: string | null;
                orderLineNumber?: string | null;
                note?: string | null;
                servicePeriod?: {
                    from?: string | null;
                    to?: string | null;
                } | null;
                vatCategory?: ("S" | "E" | "G" | "AE" | "O") | null;
                allowances?: {
                    amount?: number | null;
                    percent?: number | null;
                    reason: string;
                    reasonCode?: ("41" | "42" | "60" | "62" | "63" | "64" | "65" | "66" | "67" | "68" | "70" | "71" | "88" | "95" | "100" | "102" | "103" | "104" | "105") | null;
                }[] | null;
                charges?: {
                    amount?: number | null;
                    percent?: number | null;
                    reason: string;
                    reasonCode?: ("AA" | "AAA" | "AAC" | "AAD" | "AAE" | "AAF" | "AAH" | "AAI" | "AAS" | "AAT" | "AAV" | "AAY" | "AAZ" | "ABA" | "ABB" | "ABC" | "ABD" | "ABF" | "ABK" | "ABL" | "ABN" | "ABR" | "ABS" | "ABT" | "ABU" | "ACF" | "ACG" | "ACH" | "ACI" | "ACJ" | "ACK" | "ACL" | "ACM" | "ACS" | "ADC" | "ADE" | "ADJ" | "ADK" | "ADL" | "ADM" | "ADN" | "ADO" | "ADP" | "ADQ" | "ADR" | "ADT" | "ADW" | "ADY" | "ADZ" | "AEA" | "AEB" | "AEC" | "AED" | "AEF" | "AEH" | "AEI" | "AEJ" | "AEK" | "AEL" | "AEM" | "AEN" | "AEO" | "AEP" | "AES" | "AET" | "AEU" | "AEV" | "AEW" | "AEX" | "AEY" | "AEZ" | "AJ" | "AU" | "CA" | "CAB" | "CAD" | "CAE" | "CAF" | "CAI" | "CAJ" | "CAK" | "CAL" | "CAM" | "CAN" | "CAO" | "CAP" | "CAQ" | "CAR" | "CAS" | "CAT" | "CAU" | "CAV" | "CAW" | "CAX" | "CAY" | "CAZ" | "CD" | "CG" | "CS" | "CT" | "DAB" | "DAD" | "DAC" | "DAF" | "DAG" | "DAH" | "DAI" | "DAJ" | "DAK" | "DAL" | "DAM" | "DAN" | "DAO" | "DAP" | "DAQ" | "DL" | "EG" | "EP" | "ER" | "FAA" | "FAB" | "FAC" | "FC" | "FH" | "FI" | "GAA" | "HAA" | "HD" | "HH" | "IAA" | "IAB" | "ID" | "IF" | "IR" | "IS" | "KO" | "L1" | "LA" | "LAA" | "LAB" | "LF" | "MAE" | "MI" | "ML" | "NAA" | "OA" | "PA" | "PAA" | "PC" | "PL" | "PRV" | "RAB" | "RAC" | "RAD" | "RAF" | "RE" | "RF" | "RH" | "RV" | "SA" | "SAA" | "SAD" | "SAE" | "SAI" | "SG" | "SH" | "SM" | "SU" | "TAB" | "TAC" | "TT" | "TV" | "V1" | "V2" | "WH" | "XAA" | "YY" | "ZZZ") | null;
                }[] | null;
            }[];
            type?: ("INVOICE" | "CREDIT_NOTE" | "PREPAYMENT_INVOICE") | null;
            precedingInvoices?: {
                id?: string | null;
                invoiceNumber?: string | null;
                invoiceDate?: string | null;
            }[] | null;
            correctionReason?: string | null;
            prepaidAmount?: number | null;
            allowances?: {
                amount?: number | null;
                percent?: number | null;
                reason: string;
                reasonCode?: ("41" | "42" | "60" | "62" | "63" | "64" | "65" | "66" | "67" | "68" | "70" | "71" | "88" | "95" | "100" | "102" | "103" | "104" | "105") | null;
                vatRate?: (0 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 18 | 20) | null;
                vatCategory?: ("S" | "E" | "G" | "AE" | "O") | null;
            }[] | null;
            charges?: {
                amount?: number | null;
                percent?: number | null;
                reason: string;
                reasonCode?: ("AA" | "AAA" | "AAC" | "AAD" | "AAE" | "AAF" | "AAH" | "AAI" | "AAS" | "AAT" | "AAV" | "AAY" | "AAZ" | "ABA" | "ABB" | "ABC" | "ABD" | "ABF" | "ABK" | "ABL" | "ABN" | "ABR" | "ABS" | "ABT" | "ABU" | "ACF" | "ACG" | "ACH" | "ACI" | "ACJ" | "ACK" | "ACL" | "ACM" | "ACS" | "ADC" | "ADE" | "ADJ" | "ADK" | "ADL" | "ADM" | "ADN" | "ADO" | "ADP" | "ADQ" | "ADR" | "ADT" | "ADW" | "ADY" | "ADZ" | "AEA" | "AEB" | "AEC" | "AED" | "AEF" | "AEH" | "AEI" | "AEJ" | "AEK" | "AEL" | "AEM" | "AEN" | "AEO" | "AEP" | "AES" | "AET" | "AEU" | "AEV" | "AEW" | "AEX" | "AEY" | "AEZ" | "AJ" | "AU" | "CA" | "CAB" | "CAD" | "CAE" | "CAF" | "CAI" | "CAJ" | "CAK" | "CAL" | "CAM" | "CAN" | "CAO" | "CAP" | "CAQ" | "CAR" | "CAS" | "CAT" | "CAU" | "CAV" | "CAW" | "CAX" | "CAY" | "CAZ" | "CD" | "CG" | "CS" | "CT" | "DAB" | "DAD" | "DAC" | "DAF" | "DAG" | "DAH" | "DAI" | "DAJ" | "DAK" | "DAL" | "DAM" | "DAN" | "DAO" | "DAP" | "DAQ" | "DL" | "EG" | "EP" | "ER" | "FAA" | "FAB" | "FAC" | "FC" | "FH" | "FI" | "GAA" | "HAA" | "HD" | "HH" | "IAA" | "IAB" | "ID" | "IF" | "IR" | "IS" | "KO" | "L1" | "LA" | "LAA" | "LAB" | "LF" | "MAE" | "MI" | "ML" | "NAA" | "OA" | "PA" | "PAA" | "PC" | "PL" | "PRV" | "RAB" | "RAC" | "RAD" | "RAF" | "RE" | "RF" | "RH" | "RV" | "SA" | "SAA" | "SAD" | "SAE" | "SAI" | "SG" | "SH" | "SM" | "SU" | "TAB" | "TAC" | "TT" | "TV" | "V1" | "V2" | "WH" | "XAA" | "YY" | "ZZZ") | null;
                vatRate?: (0 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 18 | 20) | null;
                vatCategory?: ("S" | "E" | "G" | "AE" | "O") | null;
            }[] | null;
            stampDuty?: boolean | null;
            vatWithholdingPercent?: (75 | 100) | null;
            buyerIce?: string | null;
            buyerName?: string | null;
            buyerAddress?: string | null;
            buyerCity?: string | null;
            buyerCountry?: ("AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW") | null;
            buyerIf?: string | null;
            buyerType?: ("BUSINESS" | "CONSUMER") | null;
            note?: string | null;
            buyerReference?: string | null;
            purchaseOrderNumber?: string | null;
            contractNumber?: string | null;
            deliveryNoteNumber?: string | null;
            servicePeriod?: {
                from?: string | null;
                to?: string | null;
            } | null;
            deliveryDate?: string | null;
            deliveryAddress?: string | null;
            deliveryCountry?: ("AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW") | null;
            paymentTerms?: string | null;
            paymentReference?: string | null;
            paymentAccount?: {
                rib?: string | null;
                iban?: string | null;
                bic?: string | null;
                name?: string | null;
            } | null;
            dueDate?: string | null;
            draft?: boolean | null;
        };
        CreatedInvoice: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            organizationId: string;
            invoiceNumber: string;
            /** @enum {string} */
            type: "INVOICE" | "CREDIT_NOTE" | "PREPAYMENT_INVOICE";
            /** @enum {string} */
            status: "PENDING" | "SIGNED" | "TRANSMITTED" | "ACCEPTED" | "REJECTED" | "FAILED" | "CANCELLED";
            /** @description With an id if your organization has the invoice. */
            precedingInvoices: {
                /** Format: uuid */
                id: string | null;
                invoiceNumber: string;
                /** Format: date */
                invoiceDate: string;
            }[] | null;
            correctionReason: string | null;
            issuerIce: string;
            issuerName: string;
            /** Format: date */
            dueDate: string | null;
            buyerIce: string | null;
            buyerName: string | null;
            buyerAddress: string | null;
            buyerCity: string | null;
            buyerCountry: string | null;
            buyerIf: string | null;
            buyerType: string | null;
            note: string | null;
            buyerReference: string | null;
            purchaseOrderNumber: string | null;
            contractNumber: string | null;
            deliveryNoteNumber: string | null;
            /** Format: date */
            deliveryDate: string | null;
            deliveryAddress: string | null;
            deliveryCountry: string | null;
            paymentTerms: string | null;
            paymentReference: string | null;
            servicePeriod: {
                /** Format: date */
                from: string | null;
                /** Format: date */
                to: string | null;
            } | null;
            paymentAccount: {
                rib: string | null;
                iban: string | null;
                bic: string | null;
                name: string | null;
            } | null;
            /** @enum {string} */
            currency: "AED" | "AFN" | "ALL" | "AMD" | "ANG" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BGN" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG";
            /** @enum {string} */
            paymentMethod: "BANK_TRANSFER" | "CASH" | "CHECK" | "CARD" | "OTHER";
            prepaidAmount: number | null;
            allowances: {
                /** @description As sent, or computed from percent. */
                amount: number;
                percent: number | null;
                vatRate: number | null;
                vatCategory: string | null;
                reason: string;
                reasonCode: string | null;
            }[] | null;
            charges: {
                /** @description As sent, or computed from percent. */
                amount: number;
                percent: number | null;
                vatRate: number | null;
                vatCategory: string | null;
                reason: string;
                reasonCode: string | null;
            }[] | null;
            stampDuty: boolean | null;
            vatWithholdingPercent: number | null;
            /** @description Sum of the lines. */
            lineTotalHt: number;
            /** @description Sum of the allowances of the document. */
            allowanceTotal: number;
            /** @description Sum of the charges of the document. */
            chargeTotal: number;
            /** @description Total including VAT, less the prepaid amount. */
            amountDue: number;
            stampDutyAmount: number | null;
            vatWithheldAmount: number | null;
            amountAfterWithholding: number | null;
            /** @description Total excluding VAT, computed. */
            amountHt: number;
            /** @description Total VAT, computed. */
            amountVat: number;
            /** @description Total including VAT, computed. */
            amountTtc: number;
            /** Format: date */
            invoiceDate: string;
            /** @description Clearance reference; null until ACCEPTED. */
            dgiReference: string | null;
            /** @description The text inside the QR image; null until ACCEPTED. */
            dgiQrCode: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            lines: {
                lineNumber: number;
                description: string;
                quantity: number;
                unitPrice: number;
                /** @enum {integer} */
                vatRate: 0 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 18 | 20;
                unit: string | null;
                vatExemptionReason: string | null;
                itemCode: string | null;
                orderLineNumber: string | null;
                note: string | null;
                vatCategory: string | null;
                servicePeriod: {
                    /** Format: date */
                    from: string | null;
                    /** Format: date */
                    to: string | null;
                } | null;
                allowances: {
                    /** @description As sent, or computed from percent. */
                    amount: number;
                    percent: number | null;
                    vatRate: number | null;
                    vatCategory: string | null;
                    reason: string;
                    reasonCode: string | null;
                }[] | null;
                charges: {
                    /** @description As sent, or computed from percent. */
                    amount: number;
                    percent: number | null;
                    vatRate: number | null;
                    vatCategory: string | null;
                    reason: string;
                    reasonCode: string | null;
                }[] | null;
                /** @description quantity × unitPrice, minus the allowances of the line, plus its charges; each amount is rounded half up to the minor unit. */
                amountHt: number;
            }[];
            vatBreakdown: {
                /** @enum {string} */
                vatCategory: "S" | "E" | "G" | "AE" | "O";
                vatRate: number;
                taxableAmount: number;
                /** @description The part of taxableAmount that can still be credited; 0 if the document cannot be credited. */
                creditableAmount: number;
                vatAmount: number;
                exemptionReason: string | null;
            }[];
            /** @description Allowed values that may be mistakes. */
            warnings: {
                code: string;
                field: string;
                message: string;
            }[];
            /** @description Signed credit notes of this invoice, except rejected ones. */
            creditNotes: {
                /** Format: uuid */
                id: string;
                invoiceNumber: string;
                /** @enum {string} */
                status: "PENDING" | "SIGNED" | "TRANSMITTED" | "ACCEPTED" | "REJECTED" | "FAILED" | "CANCELLED";
                /** @description The amount credited on this invoice, including VAT. */
                amountTtc: number;
            }[];
            /** @description Sum of creditNotes. */
            creditedTtc: number;
            /** @description A public page for the recipients of the document: its state, and the proof of its signature. null until signed. */
            verificationUrl: string | null;
        };
        Invoice: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            organizationId: string;
            invoiceNumber: string;
            /** @enum {string} */
            type: "INVOICE" | "CREDIT_NOTE" | "PREPAYMENT_INVOICE";
            /** @enum {string} */
            status: "PENDING" | "SIGNED" | "TRANSMITTED" | "ACCEPTED" | "REJECTED" | "FAILED" | "CANCELLED";
            /** @description With an id if your organization has the invoice. */
            precedingInvoices: {
                /** Format: uuid */
                id: string | null;
                invoiceNumber: string;
                /** Format: date */
                invoiceDate: string;
            }[] | null;
            correctionReason: string | null;
            issuerIce: string;
            issuerName: string;
            /** Format: date */
            dueDate: string | null;
            buyerIce: string | null;
            buyerName: string | null;
            buyerAddress: string | null;
            buyerCity: string | null;
            buyerCountry: string | null;
            buyerIf: string | null;
            buyerType: string | null;
            note: string | null;
            buyerReference: string | null;
            purchaseOrderNumber: string | null;
            contractNumber: string | null;
            deliveryNoteNumber: string | null;
            /** Format: date */
            deliveryDate: string | null;
            deliveryAddress: string | null;
            deliveryCountry: string | null;
            paymentTerms: string | null;
            paymentReference: string | null;
            servicePeriod: {
                /** Format: date */
                from: string | null;
                /** Format: date */
                to: string | null;
            } | null;
            paymentAccount: {
                rib: string | null;
                iban: string | null;
                bic: string | null;
                name: string | null;
            } | null;
            /** @enum {string} */
            currency: "AED" | "AFN" | "ALL" | "AMD" | "ANG" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BGN" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG";
            /** @enum {string} */
            paymentMethod: "BANK_TRANSFER" | "CASH" | "CHECK" | "CARD" | "OTHER";
            prepaidAmount: number | null;
            allowances: {
                /** @description As sent, or computed from percent. */
                amount: number;
                percent: number | null;
                vatRate: number | null;
                vatCategory: string | null;
                reason: string;
                reasonCode: string | null;
            }[] | null;
            charges: {
                /** @description As sent, or computed from percent. */
                amount: number;
                percent: number | null;
                vatRate: number | null;
                vatCategory: string | null;
                reason: string;
                reasonCode: string | null;
            }[] | null;
            stampDuty: boolean | null;
            vatWithholdingPercent: number | null;
            /** @description Sum of the lines. */
            lineTotalHt: number;
            /** @description Sum of the allowances of the document. */
            allowanceTotal: number;
            /** @description Sum of the charges of the document. */
            chargeTotal: number;
            /** @description Total including VAT, less the prepaid amount. */
            amountDue: number;
            stampDutyAmount: number | null;
            vatWithheldAmount: number | null;
            amountAfterWithholding: number | null;
            /** @description Total excluding VAT, computed. */
            amountHt: number;
            /** @description Total VAT, computed. */
            amountVat: number;
            /** @description Total including VAT, computed. */
            amountTtc: number;
            /** Format: date */
            invoiceDate: string;
            /** @description Clearance reference; null until ACCEPTED. */
            dgiReference: string | null;
            /** @description The text inside the QR image; null until ACCEPTED. */
            dgiQrCode: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The signed payload of the tax authority. */
            dgiQrPayload: string | null;
            /** Format: date-time */
            dgiSubmittedAt: string | null;
            /** Format: date-time */
            dgiValidatedAt: string | null;
            /** Format: date-time */
            dgiRejectedAt: string | null;
            /** @description Why it was REJECTED or FAILED. */
            dgiErrorCode: string | null;
            dgiErrorMessage: string | null;
            /** @description XAdES-B-B, or the level that GET …/xml?level= can give; null until signed. */
            signatureLevel: string | null;
            /**
             * Format: date-time
             * @description The time of the time stamp on the signature.
             */
            timeStampedAt: string | null;
            lines: {
                lineNumber: number;
                description: string;
                quantity: number;
                unitPrice: number;
                /** @enum {integer} */
                vatRate: 0 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 18 | 20;
                unit: string | null;
                vatExemptionReason: string | null;
                itemCode: string | null;
                orderLineNumber: string | null;
                note: string | null;
                vatCategory: string | null;
                servicePeriod: {
                    /** Format: date */
                    from: string | null;
                    /** Format: date */
                    to: string | null;
                } | null;
                allowances: {
                    /** @description As sent, or computed from percent. */
                    amount: number;
                    percent: number | null;
                    vatRate: number | null;
                    vatCategory: string | null;
                    reason: string;
                    reasonCode: string | null;
                }[] | null;
                charges: {
                    /** @description As sent, or computed from percent. */
                    amount: number;
                    percent: number | null;
                    vatRate: number | null;
                    vatCategory: string | null;
                    reason: string;
                    reasonCode: string | null;
                }[] | null;
                /** @description quantity × unitPrice, minus the allowances of the line, plus its charges; each amount is rounded half up to the minor unit. */
                amountHt: number;
            }[];
            vatBreakdown: {
                /** @enum {string} */
                vatCategory: "S" | "E" | "G" | "AE" | "O";
                vatRate: number;
                taxableAmount: number;
                /** @description The part of taxableAmount that can still be credited; 0 if the document cannot be credited. */
                creditableAmount: number;
                vatAmount: number;
                exemptionReason: string | null;
            }[];
            /** @description Allowed values that may be mistakes. */
            warnings: {
                code: string;
                field: string;
                message: string;
            }[];
            /** @description Signed credit notes of this invoice, except rejected ones. */
            creditNotes: {
                /** Format: uuid */
                id: string;
                invoiceNumber: string;
                /** @enum {string} */
                status: "PENDING" | "SIGNED" | "TRANSMITTED" | "ACCEPTED" | "REJECTED" | "FAILED" | "CANCELLED";
                /** @description The amount credited on this invoice, including VAT. */
                amountTtc: number;
            }[];
            /** @description Sum of creditNotes. */
            creditedTtc: number;
            /** @description A public page for the recipients of the document: its state, and the proof of its signature. null until signed. */
            verificationUrl: string | null;
        };
        InvoiceChanges: {
            /** @description No space at either end, and no invisible character; stored in Unicode NFC, at most 64 characters in that form. Unique per organization for ever: sending it again returns 409 and creates nothing. */
            invoiceNumber?: string;
            /**
             * Format: date
             * @description From 2000-01-01 to one year after today (Africa/Casablanca).
             */
            invoiceDate?: string;
            /**
             * @description ISO 4217.
             * @enum {string}
             */
            currency?: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG";
            /** @enum {string} */
            paymentMethod?: "BANK_TRANSFER" | "CASH" | "CHECK" | "CARD" | "OTHER";
            lines?: {
                /** @description Unique within the invoice. */
                lineNumber: number;
                description: string;
                /** @description At most 10 digits after the decimal point. */
                quantity: number;
                /** @description Excluding VAT, in the currency of the invoice. At most 10 digits after the decimal point. */
                unitPrice: number;
                /**
                 * @description Percent; 8, 9, 11, 12, 13, 15, 16, 18 on a CREDIT_NOTE only, as its original has.
                 * @enum {integer}
                 */
                vatRate: 0 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 18 | 20;
                unit?: string | null;
                vatExemptionReason?: string | null;
                itemCode?: string | null;
                orderLineNumber?: string | null;
                note?: string | null;
                servicePeriod?: {
                    from?: string | null;
                    to?: string | null;
                } | null;
                vatCategory?: ("S" | "E" | "G" | "AE" | "O") | null;
                allowances?: {
                    amount?: number | null;
                    percent?: number | null;
                    reason: string;
                    reasonCode?: ("41" | "42" | "60" | "62" | "63" | "64" | "65" | "66" | "67" | "68" | "70" | "71" | "88" | "95" | "100" | "102" | "103" | "104" | "105") | null;
                }[] | null;
                charges?: {
                    amount?: number | null;
                    percent?: number | null;
                    reason: string;
                    reasonCode?: ("AA" | "AAA" | "AAC" | "AAD" | "AAE" | "AAF" | "AAH" | "AAI" | "AAS" | "AAT" | "AAV" | "AAY" | "AAZ" | "ABA" | "ABB" | "ABC" | "ABD" | "ABF" | "ABK" | "ABL" | "ABN" | "ABR" | "ABS" | "ABT" | "ABU" | "ACF" | "ACG" | "ACH" | "ACI" | "ACJ" | "ACK" | "ACL" | "ACM" | "ACS" | "ADC" | "ADE" | "ADJ" | "ADK" | "ADL" | "ADM" | "ADN" | "ADO" | "ADP" | "ADQ" | "ADR" | "ADT" | "ADW" | "ADY" | "ADZ" | "AEA" | "AEB" | "AEC" | "AED" | "AEF" | "AEH" | "AEI" | "AEJ" | "AEK" | "AEL" | "AEM" | "AEN" | "AEO" | "AEP" | "AES" | "AET" | "AEU" | "AEV" | "AEW" | "AEX" | "AEY" | "AEZ" | "AJ" | "AU" | "CA" | "CAB" | "CAD" | "CAE" | "CAF" | "CAI" | "CAJ" | "CAK" | "CAL" | "CAM" | "CAN" | "CAO" | "CAP" | "CAQ" | "CAR" | "CAS" | "CAT" | "CAU" | "CAV" | "CAW" | "CAX" | "CAY" | "CAZ" | "CD" | "CG" | "CS" | "CT" | "DAB" | "DAD" | "DAC" | "DAF" | "DAG" | "DAH" | "DAI" | "DAJ" | "DAK" | "DAL" | "DAM" | "DAN" | "DAO" | "DAP" | "DAQ" | "DL" | "EG" | "EP" | "ER" | "FAA" | "FAB" | "FAC" | "FC" | "FH" | "FI" | "GAA" | "HAA" | "HD" | "HH" | "IAA" | "IAB" | "ID" | "IF" | "IR" | "IS" | "KO" | "L1" | "LA" | "LAA" | "LAB" | "LF" | "MAE" | "MI" | "ML" | "NAA" | "OA" | "PA" | "PAA" | "PC" | "PL" | "PRV" | "RAB" | "RAC" | "RAD" | "RAF" | "RE" | "RF" | "RH" | "RV" | "SA" | "SAA" | "SAD" | "SAE" | "SAI" | "SG" | "SH" | "SM" | "SU" | "TAB" | "TAC" | "TT" | "TV" | "V1" | "V2" | "WH" | "XAA" | "YY" | "ZZZ") | null;
                }[] | null;
            }[];
            type?: ("INVOICE" | "CREDIT_NOTE" | "PREPAYMENT_INVOICE") | null;
            precedingInvoices?: {
                id?: string | null;
                invoiceNumber?: string | null;
                invoiceDate?: string | null;
            }[] | null;
            correctionReason?: string | null;
            prepaidAmount?: number | null;
            allowances?: {
                amount?: number | null;
                percent?: number | null;
                reason: string;
                reasonCode?: ("41" | "42" | "60" | "62" | "63" | "64" | "65" | "66" | "67" | "68" | "70" | "71" | "88" | "95" | "100" | "102" | "103" | "104" | "105") | null;
                vatRate?: (0 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 18 | 20) | null;
                vatCategory?: ("S" | "E" | "G" | "AE" | "O") | null;
            }[] | null;
            charges?: {
                amount?: number | null;
                percent?: number | null;
                reason: string;
                reasonCode?: ("AA" | "AAA" | "AAC" | "AAD" | "AAE" | "AAF" | "AAH" | "AAI" | "AAS" | "AAT" | "AAV" | "AAY" | "AAZ" | "ABA" | "ABB" | "ABC" | "ABD" | "ABF" | "ABK" | "ABL" | "ABN" | "ABR" | "ABS" | "ABT" | "ABU" | "ACF" | "ACG" | "ACH" | "ACI" | "ACJ" | "ACK" | "ACL" | "ACM" | "ACS" | "ADC" | "ADE" | "ADJ" | "ADK" | "ADL" | "ADM" | "ADN" | "ADO" | "ADP" | "ADQ" | "ADR" | "ADT" | "ADW" | "ADY" | "ADZ" | "AEA" | "AEB" | "AEC" | "AED" | "AEF" | "AEH" | "AEI" | "AEJ" | "AEK" | "AEL" | "AEM" | "AEN" | "AEO" | "AEP" | "AES" | "AET" | "AEU" | "AEV" | "AEW" | "AEX" | "AEY" | "AEZ" | "AJ" | "AU" | "CA" | "CAB" | "CAD" | "CAE" | "CAF" | "CAI" | "CAJ" | "CAK" | "CAL" | "CAM" | "CAN" | "CAO" | "CAP" | "CAQ" | "CAR" | "CAS" | "CAT" | "CAU" | "CAV" | "CAW" | "CAX" | "CAY" | "CAZ" | "CD" | "CG" | "CS" | "CT" | "DAB" | "DAD" | "DAC" | "DAF" | "DAG" | "DAH" | "DAI" | "DAJ" | "DAK" | "DAL" | "DAM" | "DAN" | "DAO" | "DAP" | "DAQ" | "DL" | "EG" | "EP" | "ER" | "FAA" | "FAB" | "FAC" | "FC" | "FH" | "FI" | "GAA" | "HAA" | "HD" | "HH" | "IAA" | "IAB" | "ID" | "IF" | "IR" | "IS" | "KO" | "L1" | "LA" | "LAA" | "LAB" | "LF" | "MAE" | "MI" | "ML" | "NAA" | "OA" | "PA" | "PAA" | "PC" | "PL" | "PRV" | "RAB" | "RAC" | "RAD" | "RAF" | "RE" | "RF" | "RH" | "RV" | "SA" | "SAA" | "SAD" | "SAE" | "SAI" | "SG" | "SH" | "SM" | "SU" | "TAB" | "TAC" | "TT" | "TV" | "V1" | "V2" | "WH" | "XAA" | "YY" | "ZZZ") | null;
                vatRate?: (0 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 18 | 20) | null;
                vatCategory?: ("S" | "E" | "G" | "AE" | "O") | null;
            }[] | null;
            stampDuty?: boolean | null;
            vatWithholdingPercent?: (75 | 100) | null;
            buyerIce?: string | null;
            buyerName?: string | null;
            buyerAddress?: string | null;
            buyerCity?: string | null;
            buyerCountry?: ("AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW") | null;
            buyerIf?: string | null;
            buyerType?: ("BUSINESS" | "CONSUMER") | null;
            note?: string | null;
            buyerReference?: string | null;
            purchaseOrderNumber?: string | null;
            contractNumber?: string | null;
            deliveryNoteNumber?: string | null;
            servicePeriod?: {
                from?: string | null;
                to?: string | null;
            } | null;
            deliveryDate?: string | null;
            deliveryAddress?: string | null;
            deliveryCountry?: ("AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW") | null;
            paymentTerms?: string | null;
            paymentReference?: string | null;
            paymentAccount?: {
                rib?: string | null;
                iban?: string | null;
                bic?: string | null;
                name?: string | null;
            } | null;
            dueDate?: string | null;
        };
        InvoiceStatus: {
            /** Format: date-time */
            dgiSubmittedAt: string | null;
            /** Format: date-time */
            dgiValidatedAt: string | null;
            /** Format: date-time */
            dgiRejectedAt: string | null;
            /** @description Why it was REJECTED or FAILED. */
            dgiErrorCode: string | null;
            dgiErrorMessage: string | null;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            status: "PENDING" | "SIGNED" | "TRANSMITTED" | "ACCEPTED" | "REJECTED" | "FAILED" | "CANCELLED";
            /** @description Clearance reference; null until ACCEPTED. */
            dgiReference: string | null;
            /** @description The signed payload of the tax authority. */
            dgiQrPayload: string | null;
        };
        CreditNoteOfInvoice: {
            /** @description The number of the credit note, under the rules of an invoice number. Unique per organization for ever, among all documents. */
            invoiceNumber: string;
            /**
             * Format: date
             * @description Not before the date of the invoice.
             */
            invoiceDate: string;
            correctionReason: string;
            paymentMethod?: ("BANK_TRANSFER" | "CASH" | "CHECK" | "CARD" | "OTHER") | null;
            lines?: {
                /** @description The number of a line of the invoice. */
                lineNumber: number;
                /** @description At most the quantity of the line. */
                quantity: number;
            }[] | null;
            draft?: boolean | null;
        };
        Verification: {
            /** @description Every check passes. */
            valid: boolean;
            /**
             * @description The level of the signature, read from its structure.
             * @enum {string|null}
             */
            level: "XAdES-B-B" | "XAdES-B-T" | "XAdES-B-LT" | "XAdES-B-LTA" | null;
            /** @description In the order of the checks; one timeStamp entry per time stamp. */
            checks: {
                /** @enum {string} */
                name: "form" | "document" | "signedProperties" | "signature" | "certificate" | "authority" | "timeStamp" | "revocation" | "amounts" | "held";
                ok: boolean;
                /** @description The problem, in one sentence. */
                fault: string | null;
            }[];
            /** @description Checks that were skipped: the document has no such part, or an earlier check failed. */
            notChecked: ("form" | "document" | "signedProperties" | "signature" | "certificate" | "authority" | "timeStamp" | "revocation" | "amounts" | "held")[];
            signer: {
                subject: string;
                issuer: string;
                serialNumber: string;
                /** Format: date-time */
                validFrom: string;
                /** Format: date-time */
                validTo: string;
                /** @description SHA-256 of the certificate, hexadecimal with colons. */
                fingerprint: string;
                /** @description null: this service has no list of trusted authorities. */
                trusted: boolean | null;
            } | null;
            /**
             * Format: date-time
             * @description The time that the signer states.
             */
            signingTime: string | null;
            timeStamps: {
                /** @enum {string} */
                kind: "SIGNATURE" | "ARCHIVE";
                /** Format: date-time */
                time: string | null;
                authority: string | null;
                trusted: boolean | null;
                ok: boolean;
            }[];
            /**
             * Format: date-time
             * @description A trusted time stamp proves that the signature existed at this time.
             */
            provenAt: string | null;
            /**
             * Format: date-time
             * @description The document can be verified until this time; null if a check fails.
             */
            standsUntil: string | null;
            /** @description Read from the signed bytes; null if the check document fails. */
            invoice: {
                /** @enum {string|null} */
                type: "INVOICE" | "CREDIT_NOTE" | "PREPAYMENT_INVOICE" | null;
                invoiceNumber: string | null;
                /** Format: date */
                invoiceDate: string | null;
                issuerIce: string | null;
                buyerName: string | null;
                currency: string | null;
                amountHt: number | null;
                amountVat: number | null;
                amountTtc: number | null;
            } | null;
            /** @description The state of the document in this service; null unless this service proves to be the signer. */
            held: {
                isHeld: boolean;
                /** @description The file is the original, byte for byte. */
                sameBytes: boolean;
                /** @description SHA-256 of the original. */
                sha256: string | null;
                /** @enum {string|null} */
                status: "PENDING" | "SIGNED" | "TRANSMITTED" | "ACCEPTED" | "REJECTED" | "FAILED" | "CANCELLED" | null;
                dgiReference: string | null;
                /** @description Amount credited by credit notes, including VAT. */
                creditedTtc: number | null;
            } | null;
        };
        /** @description The envelope of every error. */
        ErrorEnvelope: {
            /**
             * @description Stable machine-readable code; branch on this.
             * @enum {string}
             */
            code: "API_KEY_MISSING" | "API_KEY_INVALID" | "API_KEY_RATE_LIMITED" | "VALIDATION_ERROR" | "INVOICE_NOT_FOUND" | "INVOICE_NUMBER_EXISTS" | "INVOICE_NOT_EDITABLE" | "INVOICE_NOT_RESUBMITTABLE" | "INVOICE_CHANGED" | "INVOICE_NOT_CREDITABLE" | "CREDIT_EXCEEDS_INVOICE" | "ORGANIZATION_NOT_APPROVED" | "MISSING_LEGAL_MENTIONS" | "ARTEFACT_NOT_AVAILABLE" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "PAYLOAD_TOO_LARGE" | "HEADERS_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "BAD_REQUEST" | "REQUEST_TIMEOUT" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE" | "SESSION_MISSING" | "SESSION_INVALID" | "CSRF_REFUSED" | "FORBIDDEN" | "CREDENTIALS_INVALID" | "TOO_MANY_ATTEMPTS" | "TOO_MANY_STREAMS" | "EMAIL_TAKEN" | "SIGNUP_CLOSED" | "API_KEY_NOT_FOUND" | "INSUFFICIENT_SCOPE" | "CONFIRMATION_REQUIRED" | "SECOND_FACTOR_REQUIRED" | "EMAIL_NOT_VERIFIED" | "ORGANIZATION_SWITCHED" | "PASSKEY_NOT_FOUND" | "SESSION_NOT_FOUND" | "MEMBER_NOT_FOUND" | "LAST_OWNER" | "INVITATION_NOT_FOUND" | "PRECONDITION_FAILED";
            /** @description For people; the wording may change. */
            message: string;
            data: null;
            errors: components["schemas"]["FieldError"][] | null;
        };
        FieldError: {
            /**
             * @description The path in the body, a query parameter, or `body` for the body as a whole.
             * @example lines[2].vatRate
             */
            field: string;
            message: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The id your request sent, or a new one. Quote it to support. */
        "X-Request-Id": string;
        /** @description Requests left in this minute (draft-ietf-httpapi-ratelimit-headers-11). */
        RateLimit: string;
        /** @description Requests allowed for one API key, or one user of the dashboard, per number of seconds. */
        "RateLimit-Policy": string;
        /** @description Seconds to wait before the next request. */
        "Retry-After": number;
        /** @description RFC 6750, section 3. */
        "WWW-Authenticate": string;
        /** @description The path of the new invoice. */
        Location: string;
        /** @description A strong validator: the SHA-256 of the content. */
        ETag: string;
        /** @description A file name made from the invoice number (RFC 6266). */
        "Content-Disposition": string;
        /** @description The XAdES level of the signature in the answer. */
        "X-Signature-Level": "XAdES-B-B" | "XAdES-B-T" | "XAdES-B-LT" | "XAdES-B-LTA";
        /** @description The session, HttpOnly and SameSite=Strict: `__Host-session`, Secure, behind https; otherwise `session`. */
        "Set-Cookie": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listInvoices: {
        parameters: {
            query?: {
                /** @description From 0. A page past the end is empty, with the true totals. */
                page?: number;
                size?: number;
                status?: "PENDING" | "SIGNED" | "TRANSMITTED" | "ACCEPTED" | "REJECTED" | "FAILED" | "CANCELLED";
                /** @description Ties are broken by id, so that pages never overlap. */
                sort?: "createdAt,asc" | "createdAt,desc" | "updatedAt,asc" | "updatedAt,desc" | "invoiceDate,asc" | "invoiceDate,desc" | "dueDate,asc" | "dueDate,desc" | "invoiceNumber,asc" | "invoiceNumber,desc" | "status,asc" | "status,desc" | "buyerName,asc" | "buyerName,desc" | "amountHt,asc" | "amountHt,desc" | "amountVat,asc" | "amountVat,desc" | "amountTtc,asc" | "amountTtc,desc";
                /** @description Exactly this number, whatever its Unicode form. */
                invoiceNumber?: string;
                buyerIce?: string;
                type?: "INVOICE" | "CREDIT_NOTE" | "PREPAYMENT_INVOICE";
                /** @description Documents that correct or complete the invoice with exactly this number. */
                precedingInvoiceNumber?: string;
                /** @description In any case of letters: in the number, in the buyer's name, or at the beginning of the buyer's ICE or of dgiReference. An amount including VAT as it begins: 1200 finds 1200.60, and so do 1200.60, 1 200,60 and 1,200.60. */
                search?: string;
                /** @description The first day, included. */
                invoiceDateFrom?: string;
                /** @description The last day, included; not before invoiceDateFrom. */
                invoiceDateTo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: "OK";
                        message: string;
                        data: components["schemas"]["InvoicePage"];
                        errors: null;
                    };
                };
            };
            /** @description VALIDATION_ERROR, BAD_REQUEST */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_MISSING, API_KEY_INVALID */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INSUFFICIENT_SCOPE, FORBIDDEN */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_RATE_LIMITED */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description HEADERS_TOO_LARGE */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description SERVICE_UNAVAILABLE */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    createInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvoice"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: "OK";
                        message: string;
                        data: components["schemas"]["CreatedInvoice"];
                        errors: null;
                    };
                };
            };
            /** @description VALIDATION_ERROR, BAD_REQUEST */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_MISSING, API_KEY_INVALID */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INSUFFICIENT_SCOPE, FORBIDDEN */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INVOICE_NUMBER_EXISTS, ORGANIZATION_NOT_APPROVED, MISSING_LEGAL_MENTIONS, INVOICE_NOT_CREDITABLE, CREDIT_EXCEEDS_INVOICE */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_RATE_LIMITED */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description HEADERS_TOO_LARGE */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description SERVICE_UNAVAILABLE */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    previewInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvoice"];
            };
        };
        responses: {
            /** @description The PDF, which is not stored. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                };
            };
            /** @description VALIDATION_ERROR, BAD_REQUEST */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_MISSING, API_KEY_INVALID */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INSUFFICIENT_SCOPE, FORBIDDEN */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_RATE_LIMITED */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description HEADERS_TOO_LARGE */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description SERVICE_UNAVAILABLE */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    readInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed id returns 404, like an unknown one. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: "OK";
                        message: string;
                        data: components["schemas"]["Invoice"];
                        errors: null;
                    };
                };
            };
            /** @description BAD_REQUEST */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_MISSING, API_KEY_INVALID */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INSUFFICIENT_SCOPE, FORBIDDEN */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INVOICE_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_RATE_LIMITED */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description HEADERS_TOO_LARGE */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description SERVICE_UNAVAILABLE */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    updateInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `updatedAt` of the draft you read, in double quotes: it is changed, signed or cancelled only if it has not changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description A malformed id returns 404, like an unknown one. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoiceChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: "OK";
                        message: string;
                        data: components["schemas"]["Invoice"];
                        errors: null;
                    };
                };
            };
            /** @description VALIDATION_ERROR, BAD_REQUEST */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_MISSING, API_KEY_INVALID */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INSUFFICIENT_SCOPE, FORBIDDEN */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INVOICE_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INVOICE_NOT_EDITABLE, INVOICE_NUMBER_EXISTS */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INVOICE_CHANGED */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_RATE_LIMITED */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description HEADERS_TOO_LARGE */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description SERVICE_UNAVAILABLE */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    cancelInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `updatedAt` of the draft you read, in double quotes: it is changed, signed or cancelled only if it has not changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description A malformed id returns 404, like an unknown one. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: "OK";
                        message: string;
                        data: components["schemas"]["Invoice"];
                        errors: null;
                    };
                };
            };
            /** @description VALIDATION_ERROR, BAD_REQUEST */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_MISSING, API_KEY_INVALID */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INSUFFICIENT_SCOPE, FORBIDDEN */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INVOICE_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INVOICE_NOT_EDITABLE */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INVOICE_CHANGED */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_RATE_LIMITED */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description HEADERS_TOO_LARGE */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description SERVICE_UNAVAILABLE */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    readInvoiceStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed id returns 404, like an unknown one. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: "OK";
                        message: string;
                        data: components["schemas"]["InvoiceStatus"];
                        errors: null;
                    };
                };
            };
            /** @description BAD_REQUEST */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_MISSING, API_KEY_INVALID */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INSUFFICIENT_SCOPE, FORBIDDEN */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INVOICE_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_RATE_LIMITED */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description HEADERS_TOO_LARGE */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description SERVICE_UNAVAILABLE */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    signInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `updatedAt` of the draft you read, in double quotes: it is changed, signed or cancelled only if it has not changed since. */
                "If-Match"?: string;
            };
            path: {
                /** @description A malformed id returns 404, like an unknown one. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: "OK";
                        message: string;
                        data: components["schemas"]["Invoice"];
                        errors: null;
                    };
                };
            };
            /** @description VALIDATION_ERROR, BAD_REQUEST */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_MISSING, API_KEY_INVALID */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INSUFFICIENT_SCOPE, FORBIDDEN */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INVOICE_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INVOICE_NOT_EDITABLE, ORGANIZATION_NOT_APPROVED, MISSING_LEGAL_MENTIONS, INVOICE_NOT_CREDITABLE, CREDIT_EXCEEDS_INVOICE */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INVOICE_CHANGED */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_RATE_LIMITED */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description HEADERS_TOO_LARGE */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description SERVICE_UNAVAILABLE */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    resubmitInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed id returns 404, like an unknown one. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: "OK";
                        message: string;
                        data: components["schemas"]["Invoice"];
                        errors: null;
                    };
                };
            };
            /** @description BAD_REQUEST */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_MISSING, API_KEY_INVALID */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INSUFFICIENT_SCOPE, FORBIDDEN */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INVOICE_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INVOICE_NOT_RESUBMITTABLE */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_RATE_LIMITED */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description HEADERS_TOO_LARGE */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description SERVICE_UNAVAILABLE */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    creditInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed id returns 404, like an unknown one. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreditNoteOfInvoice"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: "OK";
                        message: string;
                        data: components["schemas"]["CreatedInvoice"];
                        errors: null;
                    };
                };
            };
            /** @description VALIDATION_ERROR, BAD_REQUEST */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_MISSING, API_KEY_INVALID */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INSUFFICIENT_SCOPE, FORBIDDEN */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INVOICE_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INVOICE_NUMBER_EXISTS, ORGANIZATION_NOT_APPROVED, MISSING_LEGAL_MENTIONS, INVOICE_NOT_CREDITABLE, CREDIT_EXCEEDS_INVOICE */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_RATE_LIMITED */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description HEADERS_TOO_LARGE */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description SERVICE_UNAVAILABLE */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    downloadXml: {
        parameters: {
            query?: {
                /** @description The original with evidence added to its signature (XAdES), at the highest level available and at least this one. 409 ARTEFACT_NOT_AVAILABLE until that level is available. */
                level?: "T" | "LT" | "LTA";
            };
            header?: {
                /** @description The ETag of the copy you already have. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description A malformed id returns 404, like an unknown one. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, stored for ten years. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Signature-Level": components["headers"]["X-Signature-Level"];
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": unknown;
                };
            };
            /** @description The copy that If-None-Match names is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Signature-Level": components["headers"]["X-Signature-Level"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description VALIDATION_ERROR, BAD_REQUEST */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_MISSING, API_KEY_INVALID */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INSUFFICIENT_SCOPE, FORBIDDEN */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INVOICE_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description ARTEFACT_NOT_AVAILABLE */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_RATE_LIMITED */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description HEADERS_TOO_LARGE */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description SERVICE_UNAVAILABLE */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    downloadPdf: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy you already have. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description A malformed id returns 404, like an unknown one. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, stored for ten years. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                };
            };
            /** @description The copy that If-None-Match names is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description BAD_REQUEST */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_MISSING, API_KEY_INVALID */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INSUFFICIENT_SCOPE, FORBIDDEN */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INVOICE_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description ARTEFACT_NOT_AVAILABLE */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_RATE_LIMITED */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description HEADERS_TOO_LARGE */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description SERVICE_UNAVAILABLE */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    downloadQr: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the copy you already have. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description A malformed id returns 404, like an unknown one. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, stored for ten years. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                };
            };
            /** @description The copy that If-None-Match names is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description BAD_REQUEST */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_MISSING, API_KEY_INVALID */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INSUFFICIENT_SCOPE, FORBIDDEN */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INVOICE_NOT_FOUND */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description ARTEFACT_NOT_AVAILABLE */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_RATE_LIMITED */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description HEADERS_TOO_LARGE */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description SERVICE_UNAVAILABLE */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
    verifyDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The signed file, byte for byte. */
        requestBody: {
            content: {
                "application/xml": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        code: "OK";
                        message: string;
                        data: components["schemas"]["Verification"];
                        errors: null;
                    };
                };
            };
            /** @description BAD_REQUEST */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_MISSING, API_KEY_INVALID */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INSUFFICIENT_SCOPE, FORBIDDEN */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description REQUEST_TIMEOUT */
            408: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description PAYLOAD_TOO_LARGE */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description UNSUPPORTED_MEDIA_TYPE */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description API_KEY_RATE_LIMITED */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description HEADERS_TOO_LARGE */
            431: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description INTERNAL_ERROR */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
            /** @description SERVICE_UNAVAILABLE */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorEnvelope"];
                };
            };
        };
    };
}
