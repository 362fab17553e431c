/**
 * Writes the templates for administrators into resources/policies: to be run after a change of the policies or their
 * names.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PolicyName } from '#shared/domain/desktop/policies.ts'
import { POLICIES, POLICY_NAMES } from '../main/settings/policies/policies.ts'

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

/** The display names of the policies in one language. */
type PolicyTexts = Readonly<Record<PolicyName, string>>

const KEY = String.raw`SOFTWARE\Policies\Parlor`
const PREFERENCES = 'chat.parlor.desktop'

/** Every policy with a valid value, for Linux and as a starting point. */
function jsonExample(): string {
  const all = Object.fromEntries(POLICY_NAMES.map((name) => [name, POLICIES[name].example]))
  const text = JSON.stringify(all, undefined, 2)
  // Short lists on one line, for readability.
  return `${text.replaceAll(/\[\s+("[^\]]*")\s+\]/g, (_all, inside: string) => `[${inside.replaceAll(/,\s+/g, ', ')}]`)}\n`
}

/** The policy definitions for the Group Policy editor of Windows. */
function admx(): string {
  const policies = POLICY_NAMES.map((name) => {
    const { element, onOff } = admxParts(name)
    const presentation = element === '' ? '' : ` presentation="$(presentation.${name})"`
    const value = element === '' ? ` valueName="${name}"` : ''
    return [
      `    <policy name="${name}" class="Both" displayName="$(string.${name})" explainText="$(string.${name}_Help)" key="${KEY}"${value}${presentation}>`,
      '      <parentCategory ref="Parlor" />',
      '      <supportedOn ref="SUPPORTED" />',
      ...(onOff ? onOff : []),
      ...(element === '' ? [] : ['      <elements>', `        ${element}`, '      </elements>']),
      '    </policy>',
    ].join('\n')
  })
  return `<?xml version="1.0" encoding="utf-8"?>
<policyDefinitions xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions" revision="1.0" schemaVersion="1.0">
  <policyNamespaces>
    <target prefix="parlor" namespace="Parlor.Policies" />
  </policyNamespaces>
  <resources minRequiredRevision="1.0" />
  <supportedOn>
    <definitions>
      <definition name="SUPPORTED" displayName="$(string.SUPPORTED)" />
    </definitions>
  </supportedOn>
  <categories>
    <category name="Parlor" displayName="$(string.Parlor)" />
  </categories>
  <policies>
${policies.join('\n')}
  </policies>
</policyDefinitions>
`
}

function admxParts(name: PolicyName): { element: string; onOff?: readonly string[] } {
  const policy = POLICIES[name]
  const field = `id="${name}" valueName="${name}"`
  switch (policy.kind) {
    case 'switch':
      return {
        element: '',
        onOff: [
          '      <enabledValue><decimal value="1" /></enabledValue>',
          '      <disabledValue><decimal value="0" /></disabledValue>',
        ],
      }
    case 'number':
      return {
        // The editor accepts at most 2^32 - 1.
        element: `<decimal ${field} required="true" minValue="${policy.least}" maxValue="${Math.min(policy.most, 4_294_967_295)}" />`,
      }
    case 'choice':
      return {
        element: `<enum ${field} required="true">${policy.of
          .map((one) => `<item displayName="$(string.${name}_${one})"><value><string>${one}</string></value></item>`)
          .join('')}</enum>`,
      }
    case 'list':
    case 'servers':
      return { element: `<multiText ${field} required="true" />` }
    case 'text':
      return { element: `<text ${field} required="true" />` }
  }
}

/** The texts of {@link admx} in one language. */
function adml(text: PolicyTexts): string {
  const strings = POLICY_NAMES.flatMap((name) => {
    const policy = POLICIES[name]
    return [
      `      <string id="${name}">${escaped(text[name])}</string>`,
      `      <string id="${name}_Help">${escaped(text[name])}</string>`,
      ...(policy.kind === 'choice'
        ? policy.of.map((one) => `      <string id="${name}_${one}">${escaped(one)}</string>`)
        : []),
    ]
  })
  const presentations = POLICY_NAMES.flatMap((name) => {
    const control = controlOf(name, escaped(text[name]))
    return control === '' ? [] : [`      <presentation id="${name}">${control}</presentation>`]
  })
  return `<?xml version="1.0" encoding="utf-8"?>
<policyDefinitionResources xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions" revision="1.0" schemaVersion="1.0">
  <displayName>Parlor</displayName>
  <description>Parlor</description>
  <resources>
    <stringTable>
      <string id="Parlor">Parlor</string>
      <string id="SUPPORTED">Parlor 0.1</string>
${strings.join('\n')}
    </stringTable>
    <presentationTable>
${presentations.join('\n')}
    </presentationTable>
  </resources>
</policyDefinitionResources>
`
}

function controlOf(name: PolicyName, label: string): string {
  switch (POLICIES[name].kind) {
    case 'switch':
      return ''
    case 'number':
      return `<decimalTextBox refId="${name}">${label}</decimalTextBox>`
    case 'choice':
      return `<dropdownList refId="${name}">${label}</dropdownList>`
    case 'list':
    case 'servers':
      return `<multiTextBox refId="${name}" />`
    case 'text':
      return `<textBox refId="${name}"><label>${label}</label></textBox>`
  }
}

/** A configuration profile for macOS with every policy; administrators remove those they do not need. */
function mobileconfig(): string {
  const settings = POLICY_NAMES.map(
    (name) => `        <key>${name}</key>\n        ${plistValue(POLICIES[name].example)}`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
  <dict>
    <key>PayloadType</key>
    <string>Configuration</string>
    <key>PayloadVersion</key>
    <integer>1</integer>
    <key>PayloadIdentifier</key>
    <string>${PREFERENCES}.policies</string>
    <key>PayloadUUID</key>
    <string>5B1F7C52-61B5-4C57-9A4F-3F6B7F0F6E01</string>
    <key>PayloadDisplayName</key>
    <string>Parlor</string>
    <key>PayloadContent</key>
    <array>
      <dict>
        <key>PayloadType</key>
        <string>${PREFERENCES}</string>
        <key>PayloadVersion</key>
        <integer>1</integer>
        <key>PayloadIdentifier</key>
        <string>${PREFERENCES}.policies.settings</string>
        <key>PayloadUUID</key>
        <string>5B1F7C52-61B5-4C57-9A4F-3F6B7F0F6E02</string>
${settings.join('\n')}
      </dict>
    </array>
  </dict>
</plist>
`
}

function plistValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? '<true/>' : '<false/>'
  if (typeof value === 'number') return `<integer>${value}</integer>`
  if (typeof value === 'string') return `<string>${escaped(value)}</string>`
  if (Array.isArray(value)) return `<array>${value.map(plistValue).join('')}</array>`
  const entries = Object.entries(value as Record<string, unknown>)
  return `<dict>${entries.map(([name, one]) => `<key>${escaped(name)}</key>${plistValue(one)}`).join('')}</dict>`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

if (import.meta.main) {
  for (const [path, text] of policyTemplates()) {
    const whole = join(root, 'resources/policies', path)
    mkdirSync(dirname(whole), { recursive: true })
    writeFileSync(whole, text)
  }
}
