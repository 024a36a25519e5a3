import path from 'node:path'

const hook = path.join(__dirname, '../../unbuilt/hook.cjs')

/** Arguments with which Node runs a program's source, for tests that need no build. */
export const runUnbuilt = (sourceFile: string): string[] => ['--require', hook, sourceFile]
