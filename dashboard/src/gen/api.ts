/** Made by openapi-typescript from the OpenAPI document: `npm run generate`. */

export type paths = Record<string, never>;
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
        NewAccount: {
            organizationName: string;
            email: string & unknown;
            password: string;
        };
        Identity: {
            /** Format: uuid */
            organizationId: string;
            organizationName: string;
            /** Format: uuid */
            userId: string;
            email: string;
            /**
             * @description READ_ONLY: read access. ACCOUNTANT: reads and exports everything, changes nothing. MEMBER: also creates and changes invoices. OWNER: full access.
             * @enum {string}
             */
            role: "READ_ONLY" | "ACCOUNTANT" | "MEMBER" | "OWNER";
            /**
             * Format: date-time
             * @description When the session reaches its maximum age.
             */
            expiresAt: string;
            /**
             * @description `test`: invoices go to a simulator and have no legal value.
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description Whether the organization requires a second factor that the user has not set up: until then other calls get 403 SECOND_FACTOR_REQUIRED. */
            secondFactorMissing: boolean;
            /** @description Whether the email must be verified by the link that was mailed: until then other calls get 403 EMAIL_NOT_VERIFIED. Always false if no mail is sent by SMTP. */
            emailUnverified: boolean;
            /** @description The organizations of the user: POST session/organization switches to another one. */
            memberships: {
                /** Format: uuid */
                organizationId: string;
                name: string;
                /**
                 * @description READ_ONLY: read access. ACCOUNTANT: reads and exports everything, changes nothing. MEMBER: also creates and changes invoices. OWNER: full access.
                 * @enum {string}
                 */
                role: "READ_ONLY" | "ACCOUNTANT" | "MEMBER" | "OWNER";
            }[];
        };
        Credentials: {
            email: string;
            password: string;
        };
        SignedIn: {
            /** Format: uuid */
            organizationId: string;
            organizationName: string;
            /** Format: uuid */
            userId: string;
            email: string;
            /**
             * @description READ_ONLY: read access. ACCOUNTANT: reads and exports everything, changes nothing. MEMBER: also creates and changes invoices. OWNER: full access.
             * @enum {string}
             */
            role: "READ_ONLY" | "ACCOUNTANT" | "MEMBER" | "OWNER";
            /**
             * Format: date-time
             * @description When the session reaches its maximum age.
             */
            expiresAt: string;
            /**
             * @description `test`: invoices go to a simulator and have no legal value.
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description Whether the organization requires a second factor that the user has not set up: until then other calls get 403 SECOND_FACTOR_REQUIRED. */
            secondFactorMissing: boolean;
            /** @description Whether the email must be verified by the link that was mailed: until then other calls get 403 EMAIL_NOT_VERIFIED. Always false if no mail is sent by SMTP. */
            emailUnverified: boolean;
            /** @description The organizations of the user: POST session/organization switches to another one. */
            memberships: {
                /** Format: uuid */
                organizationId: string;
                name: string;
                /**
                 * @description READ_ONLY: read access. ACCOUNTANT: reads and exports everything, changes nothing. MEMBER: also creates and changes invoices. OWNER: full access.
                 * @enum {string}
                 */
                role: "READ_ONLY" | "ACCOUNTANT" | "MEMBER" | "OWNER";
            }[];
        } | {
            secondFactor: ("totp" | "passkey" | "recovery")[];
            /** @description For PublicKeyCredential.parseCreationOptionsFromJSON or parseRequestOptionsFromJSON. */
            passkeyOptions?: {
                challenge: string;
            } & {
                [key: string]: unknown;
            };
        };
        Nothing: Record<string, never>;
        SecondFactor: {
            /** @description Six digits of the authenticator app. */
            code?: string;
            /** @description Works once. */
            recoveryCode?: string;
            /** @description The toJSON() of the credential that navigator.credentials.get returned. */
            passkey?: {
                id: string;
                rawId: string;
                type: string;
                response: {
                    clientDataJSON: string;
                    authenticatorData: string;
                    signature: string;
                    userHandle?: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
        };
        /** @description For PublicKeyCredential.parseCreationOptionsFromJSON or parseRequestOptionsFromJSON. */
        PasskeyOptions: {
            challenge: string;
        } & {
            [key: string]: unknown;
        };
        PasskeySignIn: {
            /** @description The toJSON() of the credential that navigator.credentials.get returned. */
            passkey: {
                id: string;
                rawId: string;
                type: string;
                response: {
                    clientDataJSON: string;
                    authenticatorData: string;
                    signature: string;
                    userHandle?: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
        };
        InvitationHeld: {
            token: string;
        };
        Invitation: {
            organizationName: string;
            email: string;
            /**
             * @description READ_ONLY: read access. ACCOUNTANT: reads and exports everything, changes nothing. MEMBER: also creates and changes invoices. OWNER: full access.
             * @enum {string}
             */
            role: "READ_ONLY" | "ACCOUNTANT" | "MEMBER" | "OWNER";
            /** Format: date-time */
            expiresAt: string;
        };
        InvitationAccepted: {
            token: string;
            /** @description A new password, or the password of your existing account. */
            password?: string;
        };
        PasswordForgotten: {
            email: string & unknown;
        };
        PasswordReset: {
            token: string;
            password: string;
        };
        EmailVerification: {
            token: string;
            password?: string;
        };
        VerifiedEmail: {
            email: string;
            /** @description Of a change of email: the address whose link must be opened too. */
            remaining?: string;
            /** @description true: a change of email is done. */
            changed?: boolean;
        };
        EmailUnverified: {
            email: string & unknown;
        };
        Organization: {
            name: string | null;
            legalForm: string | null;
            capital: string | null;
            address: string | null;
            city: string | null;
            ice: string | null;
            if: string | null;
            rc: string | null;
            tp: string | null;
            cnss: string | null;
            rib: string | null;
            phone: string | null;
            email: string | null;
            /** Format: uuid */
            organizationId: string;
            missing: ("name" | "legalForm" | "capital" | "address" | "city" | "ice" | "if" | "rc" | "tp" | "cnss" | "rib" | "phone" | "email")[];
            /**
             * @description Why the organization cannot sign; absent if it can. If sign-up requires approval, an operator approves it.
             * @enum {string}
             */
            approval?: "PENDING" | "SUSPENDED";
        };
        LegalMentions: {
            name?: string;
            legalForm?: string | null;
            capital?: string | null;
            address?: string | null;
            city?: string | null;
            ice?: (string & unknown) | null;
            if?: (string & unknown) | null;
            rc?: (string & unknown) | null;
            tp?: (string & unknown) | null;
            cnss?: (string & unknown) | null;
            rib?: (string & unknown) | null;
            phone?: string | null;
            email?: (string & unknown) | null;
        };
        SecondFactorRule: {
            required: boolean;
        };
        SecondFactorRequired: {
            required: boolean;
        };
        ApiKeys: {
            content: {
                /** Format: uuid */
                id: string;
                name: string;
                last4: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                lastUsedAt: string | null;
                /** @description An IPv4 address, or the /64 of an IPv6 address. */
                lastUsedNetwork: string | null;
                /** Format: date-time */
                revokedAt: string | null;
                /** @description What the key may do. */
                scopes: ("invoices:read" | "invoices:write")[];
                /**
                 * Format: date-time
                 * @description The key is invalid from this time on.
                 */
                expiresAt: string | null;
                /** @description Networks from which the key works. Empty: all. */
                allowedNetworks: string[];
            }[];
        };
        NewApiKey: {
            name: string;
            /** @description What the key may do. Missing: everything with invoices. */
            scopes?: ("invoices:read" | "invoices:write")[] | null;
            /** @description In the future, and at most ten years ahead. Missing: the key does not expire. */
            expiresAt?: string | null;
            /** @description Addresses, or networks in CIDR notation, from which the key works. Missing: all. */
            allowedNetworks?: string[] | null;
        };
        NewApiKeyWithSecret: {
            /** Format: uuid */
            id: string;
            name: string;
            last4: string;
            /** Format: date-time */
            createdAt: string;
            /** @description What the key may do. */
            scopes: ("invoices:read" | "invoices:write")[];
            /**
             * Format: date-time
             * @description The key is invalid from this time on.
             */
            expiresAt: string | null;
            /** @description Networks from which the key works. Empty: all. */
            allowedNetworks: string[];
            /** @description The secret key. Returned only once. */
            key: string;
        };
        ApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            last4: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string | null;
            /** @description An IPv4 address, or the /64 of an IPv6 address. */
            lastUsedNetwork: string | null;
            /** Format: date-time */
            revokedAt: string | null;
            /** @description What the key may do. */
            scopes: ("invoices:read" | "invoices:write")[];
            /**
             * Format: date-time
             * @description The key is invalid from this time on.
             */
            expiresAt: string | null;
            /** @description Networks from which the key works. Empty: all. */
            allowedNetworks: string[];
        };
        ApiKeyRotation: {
            /** @description The name of the new key. Missing: the name of the old one. */
            name?: string | null;
            /** @description For how many hours the old key still works. Missing: 168 (seven days). */
            overlapHours?: number | null;
        };
        Members: {
            content: {
                /** Format: uuid */
                id: string;
                email: string;
                /**
                 * @description READ_ONLY: read access. ACCOUNTANT: reads and exports everything, changes nothing. MEMBER: also creates and changes invoices. OWNER: full access.
                 * @enum {string}
                 */
                role: "READ_ONLY" | "ACCOUNTANT" | "MEMBER" | "OWNER";
                /** @enum {string} */
                status: "ACTIVE" | "INVITED";
                /** Format: date-time */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description null once the member has joined.
                 */
                invitationExpiresAt: string | null;
                /** @description Whether this is the current user. */
                isSelf: boolean;
            }[];
        };
        NewMember: {
            email: string & unknown;
            /** @enum {string} */
            role: "READ_ONLY" | "ACCOUNTANT" | "MEMBER" | "OWNER";
        };
        InvitedMember: {
            /** Format: uuid */
            id: string;
            email: string;
            /**
             * @description READ_ONLY: read access. ACCOUNTANT: reads and exports everything, changes nothing. MEMBER: also creates and changes invoices. OWNER: full access.
             * @enum {string}
             */
            role: "READ_ONLY" | "ACCOUNTANT" | "MEMBER" | "OWNER";
            /** @enum {string} */
            status: "ACTIVE" | "INVITED";
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description null once the member has joined.
             */
            invitationExpiresAt: string | null;
            /** @description Whether this is the current user. */
            isSelf: boolean;
            /** @description Returned only once. Send it to the invited person yourself: no email is sent. */
            invitationToken: string;
        };
        MemberChange: {
            /** @enum {string} */
            role: "READ_ONLY" | "ACCOUNTANT" | "MEMBER" | "OWNER";
        };
        Member: {
            /** Format: uuid */
            id: string;
            email: string;
            /**
             * @description READ_ONLY: read access. ACCOUNTANT: reads and exports everything, changes nothing. MEMBER: also creates and changes invoices. OWNER: full access.
             * @enum {string}
             */
            role: "READ_ONLY" | "ACCOUNTANT" | "MEMBER" | "OWNER";
            /** @enum {string} */
            status: "ACTIVE" | "INVITED";
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description null once the member has joined.
             */
            invitationExpiresAt: string | null;
            /** @description Whether this is the current user. */
            isSelf: boolean;
        };
        EndedSessions: {
            /** @description How many sessions were ended. */
            ended: number;
        };
        PasswordChange: {
            currentPassword: string;
            newPassword: string;
        };
        EmailState: {
            email: string;
            /** @description A change that waits for its links; null: none. */
            pending: {
                /** @description The new address. */
                email: string;
                /** @description Addresses whose link was not opened yet. */
                unconfirmed: string[];
                /** Format: date-time */
                expiresAt: string;
            } | null;
        };
        EmailChange: {
            email: string & unknown;
        };
        Confirmation: {
            password?: string;
            /** @description Six digits of the authenticator app. */
            code?: string;
            /** @description The toJSON() of the credential that navigator.credentials.get returned. */
            passkey?: {
                id: string;
                rawId: string;
                type: string;
                response: {
                    clientDataJSON: string;
                    authenticatorData: string;
                    signature: string;
                    userHandle?: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
        };
        Sessions: {
            content: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description Accurate to one minute. Automatic requests do not count.
                 */
                lastSeenAt: string;
                /** @description An IPv4 address, or the /64 of an IPv6 address. */
                network: string;
                /** @description The User-Agent of the browser. */
                device: string;
                /** @description Whether this is the session of the request. */
                current: boolean;
            }[];
        };
        Memberships: {
            content: {
                /** Format: uuid */
                organizationId: string;
                name: string;
                /**
                 * @description READ_ONLY: read access. ACCOUNTANT: reads and exports everything, changes nothing. MEMBER: also creates and changes invoices. OWNER: full access.
                 * @enum {string}
                 */
                role: "READ_ONLY" | "ACCOUNTANT" | "MEMBER" | "OWNER";
            }[];
        };
        LeftOrganization: {
            /** @description The session in another of your organizations; null if there is none. */
            session: {
                /** Format: uuid */
                organizationId: string;
                organizationName: string;
                /** Format: uuid */
                userId: string;
                email: string;
                /**
                 * @description READ_ONLY: read access. ACCOUNTANT: reads and exports everything, changes nothing. MEMBER: also creates and changes invoices. OWNER: full access.
                 * @enum {string}
                 */
                role: "READ_ONLY" | "ACCOUNTANT" | "MEMBER" | "OWNER";
                /**
                 * Format: date-time
                 * @description When the session reaches its maximum age.
                 */
                expiresAt: string;
                /**
                 * @description `test`: invoices go to a simulator and have no legal value.
                 * @enum {string}
                 */
                environment: "test" | "live";
                /** @description Whether the organization requires a second factor that the user has not set up: until then other calls get 403 SECOND_FACTOR_REQUIRED. */
                secondFactorMissing: boolean;
                /** @description Whether the email must be verified by the link that was mailed: until then other calls get 403 EMAIL_NOT_VERIFIED. Always false if no mail is sent by SMTP. */
                emailUnverified: boolean;
                /** @description The organizations of the user: POST session/organization switches to another one. */
                memberships: {
                    /** Format: uuid */
                    organizationId: string;
                    name: string;
                    /**
                     * @description READ_ONLY: read access. ACCOUNTANT: reads and exports everything, changes nothing. MEMBER: also creates and changes invoices. OWNER: full access.
                     * @enum {string}
                     */
                    role: "READ_ONLY" | "ACCOUNTANT" | "MEMBER" | "OWNER";
                }[];
            } | null;
        };
        OrganizationChoice: {
            organizationId: string;
        };
        SecondFactors: {
            /** @description Whether an authenticator app is set up. */
            totp: boolean;
            passkeys: {
                /** Format: uuid */
                id: string;
                name: string;
                /** Format: date-time */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description null until it is first used.
                 */
                lastUsedAt: string | null;
            }[];
            recoveryCodesLeft: number;
            /** @description Whether the organization requires a second factor. */
            required: boolean;
        };
        NewTotp: {
            /** @description Base32, returned only once. */
            secret: string;
            otpauthUri: string;
        };
        TotpConfirmation: {
            code: string;
        };
        RecoveryCodes: {
            /** @description Returned only once. */
            recoveryCodes: string[];
        };
        Passkeys: {
            content: {
                /** Format: uuid */
                id: string;
                name: string;
                /** Format: date-time */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description null until it is first used.
                 */
                lastUsedAt: string | null;
            }[];
        };
        NewPasskey: {
            name: string;
            /** @description The toJSON() of the credential that navigator.credentials.create returned. */
            passkey: {
                id: string;
                rawId: string;
                type: string;
                response: {
                    clientDataJSON: string;
                    attestationObject: string;
                    transports?: string[];
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
        };
        AddedPasskey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description null until it is first used.
             */
            lastUsedAt: string | null;
            /** @description Ten codes, returned only once, if the user had none; otherwise empty. */
            recoveryCodes: string[];
        };
        PasskeyChange: {
            name: string;
        };
        Passkey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description null until it is first used.
             */
            lastUsedAt: string | null;
        };
        AuditPage: {
            content: {
                /** Format: date-time */
                at: string;
                /**
                 * @example user:name@example.com
                 * @example service:clearance
                 */
                actor: string;
                /** @example invoice.created */
                action: string;
                /** Format: uuid */
                invoiceId: string | null;
                /** @description The status before; null at creation. */
                from: string | null;
                /** @description The status after; null if the status did not change. */
                to: string | null;
                detail: string | null;
                /** @description Where a change to an account came from: an IPv4 address, or the /64 network of an IPv6 address; null for invoices. */
                network: string | null;
                /** @description The `User-Agent` of the client that changed an account; null for invoices. */
                device: string | null;
                /** @description The position in the chain of the organization, from 1. Invoices have a chain of their own. null for an entry that is older than the chain. */
                seq: number | null;
                /** @description SHA-256 of the entry and the hash of the previous one, in hexadecimal. */
                hash: string | null;
                invoiceNumber: string | null;
            }[];
            page: number;
            size: number;
            totalElements: number;
            totalPages: number;
            first: boolean;
            last: boolean;
        };
        Overview: {
            statuses: {
                PENDING: number;
                SIGNED: number;
                TRANSMITTED: number;
                ACCEPTED: number;
                REJECTED: number;
                FAILED: number;
                CANCELLED: number;
            };
            days: {
                /** Format: date */
                date: string;
                /** @description Without credit notes. */
                invoices: number;
                creditNotes: number;
                /** @description By currency: invoices less credit notes. */
                amountTtc: {
                    [key: string]: number;
                };
            }[];
            clearance: {
                count: number;
                medianMs: number | null;
                p95Ms: number | null;
            };
            rejections: {
                errorCode: string;
                count: number;
            }[];
            certificate: {
                /** Format: date-time */
                notAfter: string;
                daysLeft: number;
            } | null;
            currencies: ("AED" | "AFN" | "ALL" | "AMD" | "ANG" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BGN" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG")[];
        };
        Timeline: {
            content: {
                /** Format: date-time */
                at: string;
                /**
                 * @example user:name@example.com
                 * @example service:clearance
                 */
                actor: string;
                /** @example invoice.created */
                action: string;
                /** Format: uuid */
                invoiceId: string | null;
                /** @description The status before; null at creation. */
                from: string | null;
                /** @description The status after; null if the status did not change. */
                to: string | null;
                detail: string | null;
            }[];
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
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
