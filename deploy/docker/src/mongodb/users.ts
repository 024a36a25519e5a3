import { runCommand, codes, isAnswer, unless, type User } from './server'

/** Makes who is missing, and gives each the password it is to have. */
export async function giveUsers({
  admin,
  services,
  port,
}: {
  admin: User
  services: readonly User[]
  /** Of the server on this machine; MongoDB's own unless given. */
  port?: number
}): Promise<void> {
  // Refused as soon as there is any user.
  await runCommand(created(admin, [{ role: 'root', db: 'admin' }]), undefined, port).catch(
    unless(codes.unauthorized, codes.userExists),
  )
  for (const user of services) {
    const roles = [{ role: 'readWrite', db: user.name }]
    await runCommand(created(user, roles), admin, port).catch(async (error: unknown) => {
      if (isAnswer(error, codes.authenticationFailed)) throw new Error(otherPassword(admin))
      if (!isAnswer(error, codes.userExists)) throw error
      await runCommand({ updateUser: user.name, pwd: user.password, roles }, admin, port)
    })
  }
}

function created({ name, password }: User, roles: object[]): Record<string, unknown> {
  return { createUser: name, pwd: password, roles }
}

function otherPassword({ name }: User): string {
  return `MongoDB has another password for its user ${name}: restore the old password file, or remove the volume and all its data`
}
