/**
 * What every real server can be made to do, whatever it is and however it was had.
 *
 * `SharedServer` is one that was found by its address and is not ours: it refuses to be hurt.
 */

/** Its functions need no `this`: a server of one kind spreads them and adds its address. */
export interface Server {
  /** Ends it at once, with SIGKILL, as a crash or a power cut would. */
  kill9: () => Promise<void>
  /** Starts it again on the same port and data, and waits until it answers. */
  start: () => Promise<void>
  /** Ends it in good order, with SIGTERM. */
  stop: () => Promise<void>
  /** Stops it in its tracks, with SIGSTOP: connections stay open and nothing answers. */
  pause: () => Promise<void>
  resume: () => Promise<void>
  /** Ends it and removes its data, unless the data lie in a folder that was given. */
  dispose: () => Promise<void>
  /** The last of what it wrote, to explain a failure. */
  output: () => string
  pid: () => number
}

/** A server that another runs: used, never ended. `setting` is the variable that named it. */
export function sharedServer(setting: string): Server {
  const refuse = (): never => {
    throw new Error(`${setting} names a server that is not ours to stop: use describeWithOwn`)
  }
  const refuseLater = async () => refuse()
  return {
    kill9: refuseLater,
    start: refuseLater,
    stop: refuseLater,
    pause: refuseLater,
    resume: refuseLater,
    dispose: async () => undefined,
    output: () => '',
    pid: refuse,
  }
}
