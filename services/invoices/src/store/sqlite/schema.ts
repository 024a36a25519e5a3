/** Migrations: each runs once, in order, and is never edited afterwards. */

import { checkpointTable } from '@einvoicing/stores/sqlite-audit-chain'

export const migrations = [
  `CREATE TABLE invoice (
     id TEXT PRIMARY KEY,
     organization_id TEXT NOT NULL,
     invoice_number TEXT NOT NULL,
     status TEXT NOT NULL,
     buyer_ice TEXT,
     buyer_name TEXT,
     invoice_date TEXT NOT NULL,
     due_date TEXT,
     amount_ht INTEGER NOT NULL,
     amount_vat INTEGER NOT NULL,
     amount_ttc INTEGER NOT NULL,
     clearance_started_at TEXT,
     created_at TEXT NOT NULL,
     updated_at TEXT NOT NULL,
     content TEXT NOT NULL, -- the Invoice message as JSON, without lines
     lines TEXT NOT NULL    -- its lines as JSON
   );
   CREATE UNIQUE INDEX invoice_by_number ON invoice (organization_id, invoice_number);
   CREATE INDEX invoice_by_creation ON invoice (organization_id, created_at, id);
   CREATE INDEX invoice_by_status ON invoice (organization_id, status, created_at, id);
   CREATE INDEX invoice_undecided ON invoice (updated_at, id) WHERE status IN ('SIGNED', 'TRANSMITTED');
   CREATE INDEX invoice_undecided_age ON invoice (clearance_started_at) WHERE status IN ('SIGNED', 'TRANSMITTED');

   CREATE TABLE signed_xml (
     invoice_id TEXT PRIMARY KEY,
     organization_id TEXT NOT NULL,
     xml BLOB NOT NULL
   );

   CREATE TABLE audit (
     position INTEGER PRIMARY KEY,
     organization_id TEXT NOT NULL,
     entry TEXT NOT NULL
   );
   CREATE INDEX audit_by_moment ON audit (organization_id, entry ->> '$.at', position);

   CREATE TABLE outbox (
     position INTEGER PRIMARY KEY AUTOINCREMENT,
     fact TEXT NOT NULL
   );

   CREATE TABLE archive_work (
     position INTEGER PRIMARY KEY AUTOINCREMENT,
     organization_id TEXT NOT NULL,
     invoice_id TEXT NOT NULL,
     part TEXT NOT NULL
   );`,
  // Few invoices at any time, so that counting by status skips the accepted ones.
  `CREATE INDEX invoice_not_accepted ON invoice (status) WHERE status <> 'ACCEPTED';`,
  `CREATE INDEX audit_by_invoice ON audit (organization_id, entry ->> '$.invoiceId', position);
   CREATE INDEX invoice_by_change ON invoice (organization_id, updated_at, id);`,
  // An invoice signed before this table existed has no mark: it may have been sent.
  `CREATE TABLE never_sent (
     invoice_id TEXT PRIMARY KEY,
     organization_id TEXT NOT NULL
   ) WITHOUT ROWID;`,
  `CREATE INDEX invoice_failed ON invoice (updated_at, id) WHERE status = 'FAILED';
   CREATE TABLE progress (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;`,
  // Empty: due at once. Dead letters have a table of their own, so that they do not slow the work.
  `ALTER TABLE archive_work ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE archive_work ADD COLUMN next_attempt_at TEXT NOT NULL DEFAULT '';
   CREATE INDEX archive_work_by_turn ON archive_work (organization_id, next_attempt_at, position);
   CREATE TABLE archive_dead_letter (
     position INTEGER PRIMARY KEY,
     organization_id TEXT NOT NULL,
     invoice_id TEXT NOT NULL,
     part TEXT NOT NULL,
     attempts INTEGER NOT NULL,
     at TEXT NOT NULL,
     error TEXT NOT NULL
   );`,
  // prepare-lists.ts makes the indexes, list-writer.ts fills the rows.
  `CREATE TABLE list_organization (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
   CREATE TABLE list_row (
     row INTEGER PRIMARY KEY, -- the invoice's rowid
     organization INTEGER NOT NULL,
     status INTEGER NOT NULL,
     id TEXT NOT NULL,
     created_at TEXT NOT NULL,
     updated_at TEXT NOT NULL,
     invoice_date TEXT NOT NULL,
     due_date TEXT NOT NULL,  -- empty when absent, so that rows compare as (key, id)
     invoice_number TEXT NOT NULL,
     buyer_name TEXT NOT NULL,
     buyer_ice TEXT NOT NULL,
     amount_ht REAL NOT NULL, -- in whole units of their currency
     amount_vat REAL NOT NULL,
     amount_ttc REAL NOT NULL
   );
   CREATE TABLE list_count (
     organization INTEGER NOT NULL,
     status INTEGER NOT NULL,
     count INTEGER NOT NULL,            -- of all invoices
     folded INTEGER NOT NULL DEFAULT 0, -- of the list rows
     PRIMARY KEY (organization, status)
   ) WITHOUT ROWID;
   CREATE TABLE list_stale (row INTEGER PRIMARY KEY); -- changed since their list row was
   CREATE TABLE list_state (
     folded_to INTEGER NOT NULL,
     ready INTEGER NOT NULL,
     sequence INTEGER NOT NULL
   );
   INSERT INTO list_state VALUES (0, 0, 0);`,
  // The rows up to this one have no reference yet: prepare-lists.ts fills them.
  `ALTER TABLE list_row ADD COLUMN reference TEXT NOT NULL DEFAULT '';
   CREATE INDEX list_by_reference ON list_row (organization, reference) WHERE reference <> '';
   ALTER TABLE list_state ADD COLUMN unreferenced_to INTEGER NOT NULL DEFAULT 0;
   UPDATE list_state SET unreferenced_to = folded_to;`,
  `CREATE TABLE audit_head (
     organization_id TEXT PRIMARY KEY,
     seq INTEGER NOT NULL,
     hash TEXT NOT NULL
   ) WITHOUT ROWID;`,
  // Credit notes and deposits, and what documents refer to; filled again from the same row.
  `ALTER TABLE list_row ADD COLUMN type INTEGER NOT NULL DEFAULT 0;
   CREATE INDEX list_by_type ON list_row (organization, type, created_at, id) WHERE type <> 0;
   CREATE TABLE list_preceding (
     organization INTEGER NOT NULL,
     invoice_number TEXT NOT NULL,
     row INTEGER NOT NULL,
     PRIMARY KEY (organization, invoice_number, row)
   ) WITHOUT ROWID;
   CREATE INDEX list_preceding_by_row ON list_preceding (row);
   UPDATE list_state SET unreferenced_to = folded_to;`,
  // Outside the invoice's content, so that background work never conflicts with a change.
  `CREATE TABLE evidence (
     invoice_id TEXT PRIMARY KEY,
     organization_id TEXT NOT NULL,
     level TEXT NOT NULL,
     time_stamped_at TEXT NOT NULL,
     token BLOB NOT NULL
   );
   CREATE TABLE evidence_work (
     position INTEGER PRIMARY KEY AUTOINCREMENT,
     organization_id TEXT NOT NULL,
     invoice_id TEXT NOT NULL,
     part TEXT NOT NULL,
     since TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
     attempts INTEGER NOT NULL DEFAULT 0,
     next_attempt_at TEXT NOT NULL DEFAULT ''
   );
   CREATE INDEX evidence_work_by_turn ON evidence_work (organization_id, next_attempt_at, position);
   CREATE INDEX evidence_work_by_part ON evidence_work (part, position);`,
  checkpointTable,
  // The newest artefact of the evidence; a token of no bytes was dropped for it.
  `ALTER TABLE evidence ADD COLUMN artefact INTEGER;
   ALTER TABLE evidence ADD COLUMN renew_by TEXT;
   CREATE INDEX evidence_by_renewal ON evidence (renew_by) WHERE renew_by IS NOT NULL;
   CREATE TABLE long_term_work (
     position INTEGER PRIMARY KEY AUTOINCREMENT,
     organization_id TEXT NOT NULL,
     invoice_id TEXT NOT NULL UNIQUE,
     part TEXT NOT NULL,
     since TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
     attempts INTEGER NOT NULL DEFAULT 0,
     next_attempt_at TEXT NOT NULL DEFAULT ''
   );
   CREATE INDEX long_term_work_by_turn
     ON long_term_work (organization_id, next_attempt_at, position);
   CREATE INDEX evidence_work_by_invoice ON evidence_work (invoice_id);`,
  // What is queued leaves the index, so that a search reads none of it.
  `ALTER TABLE evidence ADD COLUMN queued INTEGER NOT NULL DEFAULT 0;
   UPDATE evidence SET queued = 1
     WHERE renew_by IS NOT NULL AND invoice_id IN (SELECT invoice_id FROM long_term_work);
   CREATE INDEX evidence_to_renew ON evidence (renew_by)
     WHERE renew_by IS NOT NULL AND queued = 0;
   CREATE TRIGGER evidence_queued AFTER INSERT ON long_term_work BEGIN
     UPDATE evidence SET queued = 1 WHERE invoice_id = NEW.invoice_id AND renew_by IS NOT NULL;
   END;
   CREATE TRIGGER evidence_settled AFTER DELETE ON long_term_work BEGIN
     UPDATE evidence SET queued = 0 WHERE invoice_id = OLD.invoice_id AND queued = 1;
   END;`,
  // Renewals may wait for months: the backlog of evidence reads none of them.
  `ALTER TABLE long_term_work ADD COLUMN renews INTEGER NOT NULL DEFAULT 0;
   UPDATE long_term_work SET renews = 1
     WHERE EXISTS (SELECT 1 FROM evidence
       WHERE evidence.invoice_id = long_term_work.invoice_id
         AND renew_by <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
   CREATE INDEX long_term_work_without_renewals ON long_term_work (position, since)
     WHERE renews = 0;
   CREATE TRIGGER renewal_queued AFTER INSERT ON long_term_work
     WHEN EXISTS (SELECT 1 FROM evidence
       WHERE invoice_id = NEW.invoice_id
         AND renew_by <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) BEGIN
     UPDATE long_term_work SET renews = 1 WHERE position = NEW.position;
   END;`,
  // Without the organization: half the cost for the creation of an invoice.
  `CREATE INDEX archive_work_by_moment ON archive_work (next_attempt_at);
   CREATE INDEX evidence_work_by_moment ON evidence_work (next_attempt_at);
   CREATE INDEX long_term_work_by_moment ON long_term_work (next_attempt_at);`,
  // Beginning with the status, it would be preferred for the failed ones of a span of time.
  `CREATE INDEX invoice_failed_by_code ON invoice (content ->> '$.dgiErrorCode')
     WHERE status = 'FAILED';`,
]
