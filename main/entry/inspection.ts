import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SelfTestReport } from '#main/app/self-test.ts'
import { devicePolicies } from '#main/hosts/node/policies.ts'
import { thisOs } from '#main/hosts/node/profile.ts'
import type { Inspection } from '#main/hosts/rules/windows/argv.ts'
import { policyReport } from '#main/settings/policies/policies.ts'

/**
 * What needs no profile and no window is printed at once; the exit code is 1 if a policy was not understood.
 *
 * @returns whether that was all the start was for
 */
export function printAtOnce(inspect: Inspection | undefined, version: string): boolean {
  switch (inspect) {
    case 'version':
      console.log(`Parlor ${version}`)
      return true
    case 'print-policies': {
      const report = policyReport(devicePolicies(thisOs()))
      console.log(JSON.stringify(report, undefined, 2))
      process.exitCode = report.understood ? 0 : 1
      return true
    }
    case 'self-test':
    case undefined:
      return false
  }
}

/** Gives `run` the folder of a new profile and removes it afterwards: a self-test can run beside Parlor and leaves nothing. */
export async function inTemporaryProfile<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-self-test-'))
  try {
    return await run(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** @returns the exit code: 0 when every check passed or does not apply, else 1 */
export function printSelfTest(report: SelfTestReport): number {
  console.log(JSON.stringify(report, undefined, 2))
  return report.passed ? 0 : 1
}
