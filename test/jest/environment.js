/**
 * Tests run in the worker's own context, not in one of `node:vm` for each file: there every global is looked up through
 * a proxy, and nothing that was loaded or compiled for one file serves the next. What a file changes of the
 * process (globals, settings, `process.exit`) is restored after it.
 */

const { AsyncLocalStorage } = require('node:async_hooks')
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers')
const { ModuleMocker } = require('jest-mock')

// Jest makes one for each file and leaves it enabled. Every promise of this worker would then carry all of them.
const storages = new Set()
const { run } = AsyncLocalStorage.prototype
AsyncLocalStorage.prototype.run = function (...args) {
  storages.add(this)
  return run.apply(this, args)
}

const timerConfig = { idToRef: (timer) => timer, refToId: (timer) => timer }

class OneContextEnvironment {
  constructor({ projectConfig: config }) {
    this.global = globalThis
    this.globals = Object.getOwnPropertyDescriptors(globalThis)
    this.env = { ...process.env }
    this.exit = process.exit
    this.stackTraceLimit = Error.stackTraceLimit
    const { global } = this
    const moduleMocker = new ModuleMocker(global)
    this.moduleMocker = moduleMocker
    this.fakeTimers = new LegacyFakeTimers({ config, global, moduleMocker, timerConfig })
    this.fakeTimersModern = new ModernFakeTimers({ config, global })
  }

  async setup() {
    // Jest has set 100. Every call of `expect` makes an error.
    Error.stackTraceLimit = 20
  }

  async teardown() {
    this.fakeTimers.dispose()
    this.fakeTimersModern.dispose()
    for (const storage of storages) storage.disable()
    storages.clear()
    process.exit = this.exit
    Error.stackTraceLimit = this.stackTraceLimit
    restoreValues(process.env, this.env)
    restoreProperties(globalThis, this.globals)
  }

  exportConditions() {
    return ['node', 'node-addons']
  }

  /** Jest asks whether there is one; `runtime.js` compiles without. */
  getVmContext() {
    return globalThis
  }
}

function restoreValues(target, values) {
  for (const key of Object.keys(target)) if (!(key in values)) delete target[key]
  Object.assign(target, values)
}

function restoreProperties(target, descriptors) {
  for (const key of Reflect.ownKeys(target)) {
    if (!(key in descriptors)) Reflect.deleteProperty(target, key)
  }
  for (const key of Reflect.ownKeys(descriptors)) {
    if (descriptors[key].configurable) Object.defineProperty(target, key, descriptors[key])
  }
}

module.exports = OneContextEnvironment
