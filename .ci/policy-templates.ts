/**
 * Writes the templates for administrators into resources/policies: to be run after a change of the policies or their
 * names.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { adml, admx, jsonExample, mobileconfig, type PolicyTexts } from '../main/settings/policies/templates.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const CULTURES = { en: 'en-US', pl: 'pl-PL', ru: 'ru-RU' } as const

/** Every template by its path below resources/policies. */
export function policyTemplates(): ReadonlyMap<string, string> {
  const languages = Object.entries(CULTURES).map(([language, culture]): [string, string] => {
    const text = readFileSync(join(root, 'resources/locales', language, 'desktop.json'), 'utf8')
    const { policies } = (JSON.parse(text) as { managed: { policies: PolicyTexts } }).managed
    return [`${culture}/Parlor.adml`, adml(policies)]
  })
  return new Map([
    ['Parlor.admx', admx()],
    ['policy.json', jsonExample()],
    ['Parlor.mobileconfig', mobileconfig()],
    ...languages,
  ])
}

if (import.meta.main) {
  for (const [path, text] of policyTemplates()) {
    const whole = join(root, 'resources/policies', path)
    mkdirSync(dirname(whole), { recursive: true })
    writeFileSync(whole, text)
  }
}
