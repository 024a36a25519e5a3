/* global Mongo, print, sleep -- mongosh runs this */
// Run by mongosh: creates the replica set of MEMBERS, and for each service a user who may read and write its own database.
// Signs in as a member does (__system, by the key file): MongoDB lets the first user be created from loopback only, and a
// Job has its own pod. An administrator created this way would not remove the key from the Job, which needs it again
// whenever the volumes are new; so there is none.
const fs = require('node:fs')

const secrets = process.env.SECRETS ?? '/run/secrets'
const secret = (name) => fs.readFileSync(`${secrets}/${name}`, 'utf8').trim()
const members = process.env.MEMBERS.split(',')
const key = encodeURIComponent(secret('mongodb-members/key').replace(/\s/g, ''))
const asMember = `__system:${key}@`
const connect = (hosts, query) =>
  new Mongo(
    `mongodb://${asMember}${hosts}/?authSource=local&authMechanism=SCRAM-SHA-256&${query}`,
  ).getDB('admin')

const alone = connect(members[0], 'directConnection=true')
const config = { _id: 'rs0', members: members.map((host, _id) => ({ _id, host })) }

// A member of no set yet has no name of one.
if (!alone.hello().setName) {
  alone.runCommand({ replSetInitiate: config })
  print(`made the replica set of ${members}`)
}

const set = connect(members, 'replicaSet=rs0&serverSelectionTimeoutMS=60000')
for (let waited = 0; !set.hello().isWritablePrimary; waited += 1) {
  if (waited > 60) throw new Error('no member became primary')
  sleep(1000)
}

// One at a time: a set may not change by more at once.
for (const host of members) {
  const { config: now } = set.runCommand({ replSetGetConfig: 1 })
  if (now.members.some((member) => member.host === host)) continue
  const _id = 1 + Math.max(...now.members.map((member) => member._id))
  const changed = { ...now, version: now.version + 1, members: [...now.members, { _id, host }] }
  set.runCommand({ replSetReconfig: changed })
  print(`added the member ${host}`)
}

for (const name of ['organizations', 'invoices']) {
  const user = {
    pwd: secret(`mongodb-${name}/password`),
    roles: [{ role: 'readWrite', db: name }],
  }
  const verb = set.getUser(name) ? 'updateUser' : 'createUser'
  set.runCommand({ [verb]: name, ...user })
  print(`${verb} ${name}`)
}
