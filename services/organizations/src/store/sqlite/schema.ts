/** Migrations: each runs once, in order, and is never edited afterwards. */

import { checkpointTable } from '@einvoicing/stores/sqlite-audit-chain'

export const migrations = [
  `CREATE TABLE organization (
     id TEXT PRIMARY KEY,
     mentions TEXT NOT NULL, -- JSON, as the contract names them
     created_at TEXT NOT NULL
   ) STRICT;
   CREATE TABLE user (
     id TEXT PRIMARY KEY,
     organization_id TEXT NOT NULL REFERENCES organization (id),
     email TEXT NOT NULL UNIQUE,
     password_hash TEXT NOT NULL
   ) STRICT;
   CREATE TABLE api_key (
     id TEXT PRIMARY KEY,
     organization_id TEXT NOT NULL REFERENCES organization (id),
     name TEXT NOT NULL,
     digest BLOB NOT NULL UNIQUE,
     last4 TEXT NOT NULL,
     created_at TEXT NOT NULL,
     last_used_at TEXT,
     revoked_at TEXT
   ) STRICT;
   CREATE INDEX api_key_of_organization ON api_key (organization_id, created_at);
   CREATE TABLE audit (
     position INTEGER PRIMARY KEY AUTOINCREMENT,
     organization_id TEXT NOT NULL REFERENCES organization (id),
     entry TEXT NOT NULL -- JSON, as the contract names it
   ) STRICT;
   CREATE INDEX audit_by_moment ON audit (organization_id, entry ->> '$.at', position);
   CREATE TABLE remembered (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;`,
  // NULL: the oldest pepper.
  `ALTER TABLE api_key ADD COLUMN pepper TEXT;
   CREATE INDEX live_api_key_by_pepper ON api_key (pepper) WHERE revoked_at IS NULL;`,
  // Existing users are owners: an organization had one user.
  `ALTER TABLE user ADD COLUMN password_version INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE user ADD COLUMN role TEXT NOT NULL DEFAULT 'OWNER';
   ALTER TABLE user ADD COLUMN created_at TEXT NOT NULL DEFAULT '';
   UPDATE user SET created_at = (
     SELECT organization.created_at FROM organization WHERE organization.id = user.organization_id);
   CREATE INDEX user_of_organization ON user (organization_id);`,
  `CREATE TABLE invitation (
     id TEXT PRIMARY KEY,
     organization_id TEXT NOT NULL REFERENCES organization (id),
     email TEXT NOT NULL,
     role TEXT NOT NULL,
     digest BLOB NOT NULL UNIQUE,
     created_at TEXT NOT NULL,
     expires_at TEXT NOT NULL,
     UNIQUE (organization_id, email)
   ) STRICT;`,
  `ALTER TABLE user ADD COLUMN known_networks TEXT NOT NULL DEFAULT '[]'; -- JSON, the latest first
   CREATE TABLE session (
     id TEXT PRIMARY KEY,
     organization_id TEXT NOT NULL REFERENCES organization (id),
     user_id TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
     password_version INTEGER NOT NULL,
     network TEXT NOT NULL,
     device TEXT NOT NULL,
     created_at TEXT NOT NULL,
     last_seen_at TEXT NOT NULL,
     expires_at TEXT NOT NULL
   ) STRICT;
   CREATE INDEX session_of_user ON session (user_id, created_at, id);
   CREATE INDEX session_by_expiry ON session (expires_at);`,
  // Columns of rate-limiter-flexible; `expire` in milliseconds since the epoch.
  `CREATE TABLE attempt (
     key TEXT PRIMARY KEY,
     points INTEGER NOT NULL DEFAULT 0,
     expire INTEGER
   );
   CREATE INDEX attempt_by_end ON attempt (expire);`,
  `CREATE TABLE password_reset (
     digest BLOB PRIMARY KEY,
     organization_id TEXT NOT NULL REFERENCES organization (id),
     user_id TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
     password_version INTEGER NOT NULL,
     expires_at TEXT NOT NULL
   ) STRICT;
   CREATE INDEX password_reset_of_user ON password_reset (user_id);`,
  `CREATE TABLE mail (
     id TEXT PRIMARY KEY,
     content TEXT NOT NULL, -- JSON
     attempts INTEGER NOT NULL DEFAULT 0,
     next_attempt_at TEXT NOT NULL
   ) STRICT;
   CREATE INDEX mail_by_turn ON mail (next_attempt_at);`,
  // NULL: equal to created_at.
  'ALTER TABLE session ADD COLUMN confirmed_at TEXT;',
  "CREATE INDEX organization_by_ice ON organization (mentions ->> '$.ice');",
  // Scopes and networks in JSON; NULL: all.
  `ALTER TABLE api_key ADD COLUMN scopes TEXT;
   ALTER TABLE api_key ADD COLUMN allowed_networks TEXT;
   ALTER TABLE api_key ADD COLUMN expires_at TEXT;
   ALTER TABLE api_key ADD COLUMN last_used_network TEXT;
   ALTER TABLE api_key ADD COLUMN announced_days INTEGER;
   CREATE INDEX api_key_by_expiry ON api_key (expires_at) WHERE expires_at IS NOT NULL;`,
  "ALTER TABLE user ADD COLUMN known_devices TEXT NOT NULL DEFAULT '[]';", // JSON, the latest first
  `CREATE TABLE audit_head (
     organization_id TEXT PRIMARY KEY,
     seq INTEGER NOT NULL,
     hash TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   ${checkpointTable}`,
  `CREATE TABLE second_factor (
     user_id TEXT PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
     content TEXT NOT NULL, -- JSON; secrets in it are sealed or hashed
     is_enrolled INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE second_factor_rule (
     organization_id TEXT PRIMARY KEY REFERENCES organization (id)
   ) STRICT;`,
  // NULL: approved without an operator.
  `ALTER TABLE organization ADD COLUMN approval TEXT;
   ALTER TABLE organization ADD COLUMN held_ice TEXT;
   CREATE UNIQUE INDEX organization_by_held_ice ON organization (held_ice)
     WHERE held_ice IS NOT NULL;`,
  // NULL: verified.
  `ALTER TABLE user ADD COLUMN unverified_since TEXT;
   CREATE INDEX user_unverified ON user (unverified_since) WHERE unverified_since IS NOT NULL;
   CREATE TABLE email_link (
     digest BLOB PRIMARY KEY,
     organization_id TEXT NOT NULL REFERENCES organization (id),
     user_id TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
     email TEXT NOT NULL,
     expires_at TEXT NOT NULL
   ) STRICT;
   CREATE INDEX email_link_of_user ON email_link (user_id);
   ALTER TABLE organization ADD COLUMN closed_at TEXT;`,
  // `user` has the organization used last.
  `CREATE TABLE membership (
     user_id TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
     organization_id TEXT NOT NULL REFERENCES organization (id),
     role TEXT NOT NULL,
     created_at TEXT NOT NULL,
     PRIMARY KEY (user_id, organization_id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX membership_of_organization ON membership (organization_id);
   INSERT INTO membership SELECT id, organization_id, role, created_at FROM user;
   DROP INDEX user_of_organization;
   ALTER TABLE user DROP COLUMN role;
   ALTER TABLE user DROP COLUMN created_at;`,
  `CREATE TABLE email_change (
     user_id TEXT PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
     id TEXT NOT NULL UNIQUE,
     content TEXT NOT NULL -- JSON
   ) STRICT;
   CREATE TABLE email_change_link (
     digest BLOB PRIMARY KEY,
     change_id TEXT NOT NULL REFERENCES email_change (id) ON DELETE CASCADE,
     side TEXT NOT NULL
   ) STRICT;
   CREATE INDEX email_change_link_of_change ON email_change_link (change_id);`,
  // JSON of what rotation changes, as it was before the first one; NULL: not rotated since
  // this column exists.
  'ALTER TABLE api_key ADD COLUMN before_rotation TEXT;',
  `CREATE TABLE former_ice (
     ice TEXT NOT NULL,
     organization_id TEXT NOT NULL REFERENCES organization (id),
     PRIMARY KEY (ice, organization_id)
   ) STRICT, WITHOUT ROWID;`,
  // Links have turn 0 and no organization.
  `ALTER TABLE mail ADD COLUMN organization_id TEXT NOT NULL DEFAULT '';
   ALTER TABLE mail ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
   DROP INDEX mail_by_turn;
   CREATE INDEX mail_by_turn ON mail (turn, next_attempt_at);
   CREATE INDEX mail_of_organization ON mail (organization_id, turn);
   DROP INDEX organization_by_ice;
   CREATE INDEX organization_by_ice ON organization (mentions ->> '$.ice', approval, id);`,
]
