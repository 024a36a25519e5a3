export declare const errors: {
    byCode: Readonly<Record<string, string>>;
    translateFieldError: (message: string) => string;
    technical: string;
    unknown: string;
    retryAfter: (minutes: number) => string;
    offline: string;
    fields: (count: number) => string;
    toMentions: string;
    toMembers: string;
    toInvoice: (number: string) => string;
};
