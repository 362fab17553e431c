import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CleanRoot } from './clean-root.ts'

const SOURCE = join(import.meta.dirname, 'password-dialog.c')

/** The dialog that asks a user for a password before something is installed, and the user in front of it. */
export class PasswordDialog {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  static async on(machine: CleanRoot): Promise<PasswordDialog> {
    const folder = mkdtempSync(join(tmpdir(), 'parlor-password-'))
    chmodSync(folder, 0o755)
    writeFileSync(join(folder, 'asked'), '')
    chmodSync(join(folder, 'asked'), 0o666)
    const program = join(folder, 'pkexec')
    execFileSync('gcc', ['-O1', `-DFOLDER="${folder}"`, '-o', program, SOURCE])
    await machine.done('install', '--mode=4755', program, '/usr/bin/pkexec')
    return new PasswordDialog(folder)
  }

  /** The user gives the password from now on, or closes the dialog. */
  answer(answer: 'yes' | 'no'): void {
    writeFileSync(join(this.#folder, 'answer'), answer)
  }

  /** How often the password was requested. */
  get asked(): number {
    const file = join(this.#folder, 'asked')
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
