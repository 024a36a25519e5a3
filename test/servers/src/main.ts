/**
 * `npm run provision`: prepares every server that no variable names: by Docker, else installed, else
 * fetched. For one that cannot be had it says what to do; under CI that is a failure.
 */

import { type ServerName, type ToolName, catalogue, tools } from './catalogue'
import { holdInDocker, leaveDocker, reachDocker } from './docker'
import { fetchProgram, fetchTool, isFetched } from './fetch'
import { cache, find } from './finding'

type Docker = NonNullable<Awaited<ReturnType<typeof reachDocker>>>

const print = (sentence: string) => void process.stderr.write(`${sentence}\n`)

const toReason = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1).join()

async function main(): Promise<boolean> {
  const names = Object.keys(catalogue) as ServerName[]
  const wanted = names.filter((server) => !process.env[catalogue[server].address ?? ''])
  const docker = await reachDocker()
  const left: ServerName[] = []
  for (const server of wanted) if (!(await isInDocker(docker, server))) left.push(server)

  // Wheels are there in seconds; what Go builds takes both processors, one after the other.
  const built = left.filter((server) => catalogue[server].go)
  const others = left.filter((server) => !catalogue[server].go)
  const building = async () => {
    const toolsReady = await buildTools()
    return (await inTurn(built)) && toolsReady
  }
  const ready = await Promise.all([building(), ...others.map((server) => provide(server))])
  return ready.every(Boolean)
}

async function buildTools(): Promise<boolean> {
  let ready = true
  for (const tool of Object.keys(tools) as ToolName[]) {
    try {
      await fetchTool(tool)
    } catch (error) {
      ready = false
      print(`${tool} cannot be built (${toReason(error)}), and the tests that need it fail.`)
    }
  }
  return ready
}

async function isInDocker(docker: Docker | undefined, server: ServerName): Promise<boolean> {
  try {
    if (docker === undefined) throw new Error('Docker is not at hand')
    await holdInDocker(docker, server)
    return true
  } catch (error) {
    await leaveDocker(server)
    if (docker) print(`${server} is not run by Docker: ${toReason(error)}`)
    return false
  }
}

async function inTurn(servers: readonly ServerName[]): Promise<boolean> {
  let ready = true
  // The smaller one first, so that a run that is broken off has something to show.
  for (const server of [...servers].reverse()) ready = (await provide(server)) && ready
  return ready
}

async function provide(server: ServerName): Promise<boolean> {
  try {
    const { debian, go } = catalogue[server]
    if (debian === undefined && !(await isFetched(server))) {
      if (go) print(`${server} is built once, which takes minutes`)
      await fetchProgram(server)
    }
    if (find(server) === undefined) throw new Error(`the package ${debian} is not installed`)
    return true
  } catch (error) {
    const { address } = catalogue[server]
    const ways = [
      ...(address ? [`name one that runs in ${address}`] : []),
      'start Docker',
      `put a link to an installed one into ${cache}`,
    ]
    print(
      `${server} cannot be had (${toReason(error)}): tests that need it are skipped, which fails under CI.`,
    )
    print(`  Either ${ways.join(', or ')}; or fix that and run npm run provision again.`)
    return false
  }
}

void main().then((ready) => {
  // A developer may go on without them, with tests skipped with a message; CI may not.
  process.exitCode = ready || !process.env['CI'] ? 0 : 1
})
