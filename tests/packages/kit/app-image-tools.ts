import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const SOURCE = join(import.meta.dirname, 'app-image-runtime.c')

function found(program: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path))
}

/** Debian's `squashfs-tools`: without them AppImages are not tested. */
export const canMakeAppImages = (): boolean => found('mksquashfs') !== undefined && found('unsquashfs') !== undefined

/** What electron-builder would download to make AppImages, in its layout, with a runtime that needs no FUSE. */
export function appImageTools(folder: string): string {
  const tools = join(folder, 'app-image-tools')
  mkdirSync(join(tools, 'linux-x64'), { recursive: true })
  mkdirSync(join(tools, 'lib/x64'), { recursive: true })
  // Fast, like the other packages of the tests.
  const line = `exec '${found('mksquashfs')}' "$@" -comp gzip -Xcompression-level 1`
  writeFileSync(join(tools, 'linux-x64/mksquashfs'), `#!/bin/sh\n${line}\n`, { mode: 0o755 })
  symlinkSync(found('desktop-file-validate') ?? '', join(tools, 'linux-x64/desktop-file-validate'))
  execFileSync('gcc', ['-O1', '-s', '-o', join(tools, 'runtime-x64'), SOURCE])
  return tools
}
