// With the key of artefacts or of root: deletes a locked version, and prints why it cannot.
const { readFileSync } = require('node:fs')
const { Client } = require('minio')

const [accessKey, secretFile] = process.env.PROBE.split(' ')
const client = new Client({
  endPoint: 'minio',
  port: 9000,
  useSSL: false,
  region: 'us-east-1',
  accessKey,
  secretKey: readFileSync(secretFile, 'utf8').trim(),
})

async function main() {
  const versions = []
  const listed = client.listObjects('einvoicing', '', true, { IncludeVersion: true })
  for await (const item of listed) versions.push(item)
  const { name, versionId } = versions[0]
  await client.removeObject('einvoicing', name, { versionId, governanceBypass: true })
  console.log('deleted')
}

main().catch(({ message }) => console.log(message))
