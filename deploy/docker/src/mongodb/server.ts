import mongoose from 'mongoose'

const { MongoClient, MongoServerError } = mongoose.mongo

const answerMs = 5_000

export interface User {
  name: string
  password: string
}

/** What the server's numbers say. */
export const codes = {
  unauthorized: 13,
  authenticationFailed: 18,
  alreadyInitialized: 23,
  userExists: 51_003,
} as const

/** Runs one command in the database `admin`, as `user` where one is named. */
export async function runCommand(
  command: Record<string, unknown>,
  user?: User,
  port = 27_017,
): Promise<Record<string, unknown>> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: answerMs,
    connectTimeoutMS: answerMs,
    socketTimeoutMS: 30_000,
    ...(user && { auth: { username: user.name, password: user.password } }),
  })
  try {
    return await client.db('admin').command(command)
  } finally {
    await client.close()
  }
}

/** Passes over the answers named, and throws all else. */
export function unless(...passed: number[]): (error: unknown) => void {
  return (error) => {
    if (!passed.some((code) => isAnswer(error, code))) throw error
  }
}

export function isAnswer(error: unknown, code: number): boolean {
  return error instanceof MongoServerError && error.code === code
}
