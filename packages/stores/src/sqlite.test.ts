import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import Database from 'libsql'
import { SettingsError } from '@einvoicing/runtime/env'
import {
  inTransaction,
  isStorageFailure,
  isUniqueViolation,
  openSqlite,
  orUnavailable,
  type Sqlite,
} from './sqlite'

const notes = 'CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE) STRICT'
const stars = 'ALTER TABLE notes ADD COLUMN stars INTEGER NOT NULL DEFAULT 0'

let folder: string
let file: string

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sqlite-'))
  file = path.join(folder, 'notes.db')
})

afterEach(() => fs.rmSync(folder, { recursive: true }))

function catchFailure(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

function titles(database: Sqlite): unknown[] {
  return database.prepare('SELECT title FROM notes ORDER BY id').pluck().all([])
}

function schemaVersion(database: Sqlite): unknown {
  return database.prepare('PRAGMA user_version').pluck().all([])[0]
}

describe('openSqlite', () => {
  it('makes the folder and the file, readable by their owner alone', () => {
    const deep = path.join(folder, 'data', 'deep', 'notes.db')
    const database = openSqlite(deep, [notes])
    database.exec("INSERT INTO notes (title) VALUES ('first')")
    for (const name of fs.readdirSync(path.dirname(deep))) {
      expect(fs.statSync(path.join(path.dirname(deep), name)).mode & 0o077).toBe(0)
    }
    database.close()
  })

  it('uses write-ahead logging, on disk before it answers', () => {
    const database = openSqlite(file, [notes])
    expect(database.pragma('journal_mode')).toEqual([{ journal_mode: 'wal' }])
    expect(database.pragma('synchronous')).toEqual([{ synchronous: 2 }])
    expect(database.pragma('foreign_keys')).toEqual([{ foreign_keys: 1 }])
    expect(database.pragma('busy_timeout')).toEqual([{ timeout: 10000 }])
    database.close()
  })

  it('runs each migration once, whether they come together or later', () => {
    const first = openSqlite(file, [notes])
    first.exec("INSERT INTO notes (title) VALUES ('kept')")
    first.close()
    const second = openSqlite(file, [notes, stars])
    expect(schemaVersion(second)).toBe(2)
    expect(second.prepare('SELECT title, stars FROM notes').all([])).toEqual([
      { title: 'kept', stars: 0 },
    ])
    second.close()
    const third = openSqlite(file, [notes, stars])
    expect(titles(third)).toEqual(['kept'])
    third.close()
  })

  it('rolls back a migration that fails, keeps those before it, and can go on later', () => {
    const broken = 'CREATE TABLE half (id INTEGER); CREATE TABEL typo (id INTEGER)'
    expect(() => openSqlite(file, [notes, broken])).toThrow(/syntax error/)
    const repaired = openSqlite(file, [notes, stars])
    expect(schemaVersion(repaired)).toBe(2)
    expect(repaired.prepare("SELECT name FROM sqlite_master WHERE name = 'half'").all([])).toEqual(
      [],
    )
    repaired.close()
  })

  it('refuses a file that a newer version wrote, and leaves it as it is', () => {
    openSqlite(file, [notes, stars]).close()
    const failure = catchFailure(() => openSqlite(file, [notes]))
    expect(failure).toBeInstanceOf(SettingsError)
    expect(String(failure)).toContain(`${file} was written by a newer version`)
    expect(String(failure)).toContain('schema 2, known 1')
    const again = openSqlite(file, [notes, stars])
    expect(schemaVersion(again)).toBe(2)
    again.close()
  })

  it('rejects a file that is not a database, by name, and leaves it unchanged', () => {
    const bytes = 'surely no database '.repeat(1000)
    fs.writeFileSync(file, bytes)
    const failure = catchFailure(() => openSqlite(file, [notes]))
    expect(failure).toBeInstanceOf(SettingsError)
    expect(String(failure)).toContain(`${file} is damaged or is not a database`)
    expect(fs.readFileSync(file, 'utf8')).toBe(bytes)
  })

  it('rejects a file whose first page was overwritten', () => {
    const database = openSqlite(file, [notes])
    database.pragma('wal_checkpoint(TRUNCATE)')
    database.close()
    const descriptor = fs.openSync(file, 'r+')
    fs.writeSync(descriptor, Buffer.alloc(100, 0xff), 0, 100, 100)
    fs.closeSync(descriptor)
    expect(() => openSqlite(file, [notes])).toThrow(`${file} is damaged or is not a database`)
  })

  it.each([
    [
      'a folder in its place',
      () => {
        fs.mkdirSync(file)
      },
    ],
    [
      'a file in place of its folder',
      () => {
        fs.writeFileSync(file, '')
        file = path.join(file, 'notes.db')
      },
    ],
  ])('refuses %s, naming the file and DATA_DIR', (_, arrange) => {
    arrange()
    const failure = catchFailure(() => openSqlite(file, [notes]))
    expect(failure).toBeInstanceOf(SettingsError)
    expect(String(failure)).toContain(`${file} cannot be opened for writing`)
    expect(String(failure)).toContain('DATA_DIR')
  })

  it('has committed data when the process is killed at once', () => {
    const script = `
      const Database = require(${JSON.stringify(require.resolve('libsql'))})
      const database = new Database(${JSON.stringify(file)})
      database.exec("INSERT INTO notes (title) VALUES ('answered')")
      process.kill(process.pid, 'SIGKILL')`
    openSqlite(file, [notes]).close()
    expect(() => execFileSync(process.execPath, ['-e', script], { stdio: 'ignore' })).toThrow()
    const database = openSqlite(file, [notes])
    expect(titles(database)).toEqual(['answered'])
    database.close()
  })
})

describe('inTransaction', () => {
  let database: Sqlite

  beforeEach(() => {
    database = openSqlite(file, [notes])
  })
  afterEach(() => {
    database.close()
  })

  const add = (title: string) =>
    database.prepare('INSERT INTO notes (title) VALUES (?)').run([title])

  it('commits and returns the result', () => {
    expect(inTransaction(database, () => add('a').changes)).toBe(1)
    expect(database.inTransaction).toBe(false)
    expect(titles(database)).toEqual(['a'])
  })

  it('undoes everything when the work throws, and throws the same', () => {
    const stop = new Error('stop')
    const work = () => {
      add('a')
      throw stop
    }
    expect(catchFailure(() => inTransaction(database, work))).toBe(stop)
    expect(database.inTransaction).toBe(false)
    expect(titles(database)).toEqual([])
  })

  it('undoes everything at a unique violation, and says which it is', () => {
    add('taken')
    const work = () => {
      add('new')
      add('taken')
    }
    const failure = catchFailure(() => inTransaction(database, work))
    expect(isUniqueViolation(failure)).toBe(true)
    expect(isStorageFailure(failure)).toBe(false)
    expect(titles(database)).toEqual(['taken'])
  })

  it('reports a full disk as a storage failure, and works again when there is space', () => {
    const pages = database.prepare('PRAGMA page_count').pluck().all([])[0] as number
    database.pragma(`max_page_count = ${pages}`)
    const fill = () => {
      for (let n = 0; n < 100; n += 1) add(`${n} `.padEnd(1000, '.'))
    }
    const failure = catchFailure(() => inTransaction(database, fill))
    expect(failure).toMatchObject({ code: 'SQLITE_FULL' })
    expect(isStorageFailure(failure)).toBe(true)
    expect(titles(database)).toEqual([])

    database.pragma(`max_page_count = ${pages + 1000}`)
    inTransaction(database, fill)
    expect(titles(database)).toHaveLength(100)
  })

  it('reports a database locked by another process as a storage failure', () => {
    const other = new Database(file)
    other.exec('BEGIN IMMEDIATE')
    database.pragma('busy_timeout = 1')
    expect(isStorageFailure(catchFailure(() => inTransaction(database, () => add('a'))))).toBe(true)
    other.exec('ROLLBACK')
    inTransaction(database, () => add('a'))
    expect(titles(database)).toEqual(['a'])
    other.close()
  })
})

describe('isUniqueViolation', () => {
  it('no other constraint and no other error', () => {
    const database = openSqlite(file, [notes])
    database.exec("INSERT INTO notes (id, title) VALUES (1, 'a')")
    const failures = [
      catchFailure(() => database.exec("INSERT INTO notes (id, title) VALUES (1, 'b')")),
      catchFailure(() => database.exec('INSERT INTO notes (title) VALUES (NULL)')),
      catchFailure(() => database.exec('nonsense')),
      Object.assign(new Error('elsewhere'), { code: 'SQLITE_CONSTRAINT_UNIQUE' }),
      undefined,
    ]
    for (const failure of failures) expect(isUniqueViolation(failure)).toBe(false)
    database.close()
  })
})

describe.each([
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_IOERR_FSYNC',
  'SQLITE_READONLY_DBMOVED',
  'SQLITE_CANTOPEN',
  'SQLITE_CORRUPT',
  'SQLITE_NOTADB',
  'SQLITE_BUSY_SNAPSHOT',
  'SQLITE_LOCKED',
  'SQLITE_PERM',
  'SQLITE_PROTOCOL',
  'SQLITE_NOMEM',
  'SQLITE_INTERRUPT',
])('%s', (code) => {
  it('may pass by itself', async () => {
    const failure = new Database.SqliteError('x', code, 0)
    expect(isStorageFailure(failure)).toBe(true)
    const work = () => {
      throw failure
    }
    await expect(orUnavailable('The store', work)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
  })
})

it.each(['SQLITE_ERROR', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_MISUSE', 'SQLITE_SCHEMA'])(
  '%s is a defect',
  (code) => {
    expect(isStorageFailure(new Database.SqliteError('x', code, 0))).toBe(false)
  },
)
