PRAGMA application_id = 1330597197;
BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'oom-medic-cases','0001_cases','2026-11-30 11:05:00.140184+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'oom-medic-cases','0002_people_and_servers','2026-11-30 11:05:00.145077+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'oom-medic-cases','0003_counters','2026-11-30 11:05:00.146354+00:00');
INSERT INTO "_sqlite_migrations" VALUES(4,'oom-medic-cases','0004_search','2026-11-30 11:05:00.147923+00:00');
CREATE TABLE cases (
          seq INTEGER PRIMARY KEY AUTOINCREMENT,
          id TEXT NOT NULL UNIQUE,
          guild INTEGER NOT NULL,
          channel INTEGER,
          link TEXT,
          asker INTEGER,
          locale TEXT NOT NULL,
          origin TEXT NOT NULL,
          created_at TEXT NOT NULL,
          changed_at TEXT NOT NULL,
          source_tool TEXT NOT NULL,
          class TEXT NOT NULL,
          phase TEXT NOT NULL,
          family TEXT,
          arch TEXT,
          gpu TEXT,
          vram_gib REAL,
          lever TEXT,
          rule TEXT,
          findings INTEGER NOT NULL,
          state TEXT NOT NULL CHECK (state IN ('open', 'works', 'failed', 'closed')),
          verdict TEXT CHECK (verdict IN ('right', 'wrong', 'wrong_lever', 'not_oom')),
          assigned INTEGER,
          fingerprint TEXT
        ) STRICT;
INSERT INTO "cases" VALUES(1,'K7Q2',1001,77,NULL,501,'de','paste','2026-07-01T10:00:00Z','2026-07-01T10:05:00Z','ai-toolkit','vram_oom','train','z-image',NULL,NULL,NULL,'batch_size','batch-down',1,'works','right',NULL,NULL);
INSERT INTO "cases" VALUES(2,'H3XW',2002,78,NULL,502,'it','slash','2026-07-02T10:00:00Z','2026-07-02T10:00:00Z','ai-toolkit','unknown','unknown',NULL,NULL,NULL,NULL,NULL,NULL,0,'open',NULL,NULL,NULL);
CREATE TABLE counted_cases (
          guild INTEGER NOT NULL, month TEXT NOT NULL, class TEXT NOT NULL, phase TEXT NOT NULL,
          family TEXT NOT NULL, locale TEXT NOT NULL, state TEXT NOT NULL, verdict TEXT NOT NULL,
          asked INTEGER NOT NULL, rounds INTEGER NOT NULL, n INTEGER NOT NULL,
          PRIMARY KEY (guild, month, class, phase, family, locale, state, verdict, asked, rounds)
        ) STRICT, WITHOUT ROWID;
CREATE TABLE counted_steps (
          guild INTEGER NOT NULL, month TEXT NOT NULL, family TEXT NOT NULL, lever TEXT NOT NULL,
          rule TEXT NOT NULL, outcome TEXT NOT NULL, n INTEGER NOT NULL,
          PRIMARY KEY (guild, month, family, lever, rule, outcome)
        ) STRICT, WITHOUT ROWID;
CREATE TABLE diagnoses (
          seq INTEGER PRIMARY KEY REFERENCES cases (seq) ON DELETE CASCADE,
          json TEXT NOT NULL CHECK (json_valid(json))
        ) STRICT;
INSERT INTO "diagnoses" VALUES(1,'{"problem": {"class": "vram_oom"}, "steps": [], "findings": []}');
INSERT INTO "diagnoses" VALUES(2,'{"steps": [], "findings": []}');
CREATE TABLE documents (
          id INTEGER PRIMARY KEY,
          seq INTEGER NOT NULL REFERENCES cases (seq) ON DELETE CASCADE,
          position INTEGER NOT NULL,
          message INTEGER,
          name TEXT NOT NULL,
          kind TEXT NOT NULL,
          text TEXT NOT NULL,
          UNIQUE (seq, position)
        ) STRICT;
INSERT INTO "documents" VALUES(1,1,0,9,'config.yaml','config','batch_size: 4  # aardvark');
INSERT INTO "documents" VALUES(2,2,0,NULL,'paste','prose','zebra');
CREATE TABLE guilds (
          guild INTEGER PRIMARY KEY,
          settings TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(settings)),
          left_at TEXT
        ) STRICT;
CREATE TABLE messages (
          message INTEGER PRIMARY KEY,
          seq INTEGER NOT NULL REFERENCES cases (seq) ON DELETE CASCADE,
          channel INTEGER NOT NULL,
          role TEXT NOT NULL CHECK (role IN ('paste', 'reply'))
        ) STRICT;
INSERT INTO "messages" VALUES(9,1,77,'paste');
INSERT INTO "messages" VALUES(10,1,77,'reply');
CREATE TABLE notes (
          id INTEGER PRIMARY KEY,
          seq INTEGER NOT NULL REFERENCES cases (seq) ON DELETE CASCADE,
          author INTEGER,
          at TEXT NOT NULL,
          verdict TEXT CHECK (verdict IN ('right', 'wrong', 'wrong_lever', 'not_oom')),
          text TEXT NOT NULL
        ) STRICT;
INSERT INTO "notes" VALUES(1,1,502,'2026-07-01T11:00:00Z','right','a lovely okapi');
CREATE TABLE receipts (
          key TEXT PRIMARY KEY,
          seq INTEGER NOT NULL REFERENCES cases (seq) ON DELETE CASCADE,
          at TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
INSERT INTO "receipts" VALUES('interaction:5',2,'2026-07-02T10:00:00Z');
CREATE TABLE retired (
          id TEXT PRIMARY KEY
        ) STRICT, WITHOUT ROWID;
CREATE TABLE steps (
          id INTEGER PRIMARY KEY,
          seq INTEGER NOT NULL REFERENCES cases (seq) ON DELETE CASCADE,
          position INTEGER NOT NULL,
          round INTEGER NOT NULL,
          ladder INTEGER,
          lever TEXT NOT NULL,
          rule TEXT NOT NULL,
          diff TEXT,
          offered_at TEXT NOT NULL,
          outcome TEXT NOT NULL DEFAULT 'waiting'
            CHECK (outcome IN ('waiting', 'works', 'still_fails', 'undone', 'no_answer')),
          answered_at TEXT,
          UNIQUE (seq, position)
        ) STRICT;
INSERT INTO "steps" VALUES(1,1,0,1,0,'batch_size','batch-down','-4 +1','2026-07-01T10:00:00Z','works','2026-07-01T10:05:00Z');
CREATE TABLE upkeep (
          key TEXT PRIMARY KEY,
          value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
CREATE TABLE users (
          user INTEGER PRIMARY KEY,
          language TEXT,
          opted_out INTEGER NOT NULL DEFAULT 0 CHECK (opted_out IN (0, 1))
        ) STRICT;
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX cases_by_guild ON cases (guild);
CREATE INDEX cases_by_state ON cases (guild, state);
CREATE INDEX cases_by_class ON cases (guild, class);
CREATE INDEX cases_by_family ON cases (guild, family);
CREATE INDEX cases_by_locale ON cases (guild, locale);
CREATE INDEX cases_by_asker ON cases (asker, guild);
CREATE INDEX cases_by_text ON cases (fingerprint, guild);
CREATE INDEX cases_by_age ON cases (created_at);
CREATE INDEX messages_by_case ON messages (seq);
CREATE INDEX receipts_by_case ON receipts (seq);
CREATE INDEX documents_by_message ON documents (message) WHERE message IS NOT NULL;
CREATE INDEX steps_by_lever ON steps (lever, seq);
CREATE INDEX notes_by_case ON notes (seq);
CREATE VIEW case_facts AS
          SELECT seq, asker, created_at, guild, substr(created_at, 1, 7) AS month, class, phase,
            coalesce(family, '') AS family, locale, state, coalesce(verdict, '') AS verdict,
            (class = 'unknown' OR coalesce(lever, '') = 'ask') AS asked,
            (SELECT coalesce(max(round), 0) FROM steps WHERE steps.seq = cases.seq AND outcome = 'works') AS rounds
          FROM cases;
CREATE VIEW step_facts AS
          SELECT cases.seq, asker, created_at, guild, substr(created_at, 1, 7) AS month,
            coalesce(family, '') AS family, steps.lever, steps.rule, outcome
          FROM steps JOIN cases USING (seq);
CREATE VIEW case_texts AS
  SELECT seq, guild AS scope,
    (SELECT group_concat(text, char(10))
       FROM (SELECT text FROM documents WHERE documents.seq = cases.seq ORDER BY position)) AS pasted,
    (SELECT group_concat(text, char(10))
       FROM (SELECT text FROM notes WHERE notes.seq = cases.seq ORDER BY id)) AS remarks
  FROM cases;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('cases',2);
COMMIT;
CREATE VIRTUAL TABLE case_search USING fts5(
  scope, pasted, remarks, content='case_texts', content_rowid='seq', tokenize="unicode61 remove_diacritics 2"
);
INSERT INTO case_search (case_search) VALUES ('rebuild');
