import * as v from 'valibot'
import {
  NOTIFICATION_CONTENTS,
  UPDATE_MODES,
  type Policies,
  type PolicyName,
  type PresetServer,
  type IgnoredPolicy,
  type Managed,
  type PolicySource,
} from '#shared/domain/desktop/policies.ts'
import type { Settings } from '#shared/domain/settings.ts'
import type { SettingsStore } from '../store.ts'

/** How a value is written without JSON: in the registry, and in the templates for administrators. */
type PolicyKind =
  | { readonly kind: 'switch' | 'text' | 'list' | 'servers' }
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  | { readonly kind: 'number'; readonly least: number; readonly most: number }

type Entry<Name extends PolicyName> = PolicyKind & {
  readonly schema: v.GenericSchema<unknown, NonNullable<Policies[Name]>>
  /** A valid value, for the templates and the tests. */
  readonly example: unknown
}

const MOST_BYTES = 100 * 1_024 * 1_024 * 1_024
const MOST_DAYS = 3_650

const line = (longest: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(longest))
const address = v.pipe(
  line(2_048),
  v.check((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)),
)
const server = v.object({ name: line(200), url: address, apiKey: line(500) })
/** `Name | https://chat.example | key`, for systems whose lists contain only strings. */
const serverLine = v.pipe(
  v.string(),
  v.transform((text): unknown => {
    const [name, url, apiKey, ...more] = text.split('|')
    return more.length === 0 ? { name, url, apiKey } : undefined
  }),
  server,
)
/** `.png`, `image/png`, `image/*`. */
const fileType = v.pipe(line(100), v.toLowerCase(), v.regex(/^(?:\.[\p{L}\p{N}]{1,20}|[a-z]+\/(?:\*|[a-z0-9.+-]+))$/u))

const onOff = <Name extends PolicyName>(example: boolean) =>
  ({ kind: 'switch', schema: v.boolean(), example }) as unknown as Entry<Name>

/** Every policy, once: the reader, the templates for three systems and the docs are generated from this. */
export const POLICIES: { readonly [Name in PolicyName]-?: Entry<Name> } = {
  Organization: { kind: 'text', schema: line(200), example: 'Cairn Maps' },
  ServerList: {
    kind: 'servers',
    schema: v.pipe(v.array(v.union([server, serverLine])), v.maxLength(50)),
    example: [{ name: 'Cairn Maps', url: 'https://chat.example', apiKey: 'key' } satisfies PresetServer],
  },
  LockServerList: onOff(true),
  AllowLocalServer: onOff(false),
  AllowLanExposure: onOff(false),
  UpdateMode: { kind: 'choice', of: UPDATE_MODES, schema: v.picklist(UPDATE_MODES), example: 'off' },
  UpdateChannel: { kind: 'text', schema: v.pipe(line(40), v.regex(/^[a-z0-9-]+$/)), example: 'stable' },
  UpdateFeed: {
    kind: 'text',
    schema: v.pipe(
      line(2_048),
      v.check((text) => URL.parse(text)?.protocol === 'https:'),
    ),
    example: 'https://updates.example/parlor',
  },
  DisableDevTools: onOff(true),
  AllowedAttachmentTypes: {
    kind: 'list',
    schema: v.pipe(v.array(fileType), v.maxLength(500)),
    example: ['.pdf', 'image/*'],
  },
  MaxUploadSize: {
    kind: 'number',
    least: 1,
    most: MOST_BYTES,
    schema: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_BYTES)),
    example: 20_000_000,
  },
  AllowLinkPreviews: onOff(false),
  AllowGeolocation: onOff(false),
  AllowMicrophone: onOff(false),
  NotificationContent: {
    kind: 'choice',
    of: NOTIFICATION_CONTENTS,
    schema: v.picklist(NOTIFICATION_CONTENTS),
    example: 'sender',
  },
  CacheRetentionDays: {
    kind: 'number',
    least: 0,
    most: MOST_DAYS,
    schema: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MOST_DAYS)),
    example: 90,
  },
  RequireEncryptedSecrets: onOff(true),
  AllowExternalLinks: onOff(true),
  ExtraCaFile: {
    kind: 'text',
    schema: v.pipe(line(1_000), v.regex(/^(?:\/|[A-Za-z]:\\|\\\\)/)),
    example: '/etc/ssl/certs/own.pem',
  },
}

export const POLICY_NAMES = Object.keys(POLICIES) as readonly PolicyName[]

const isPolicyName = (name: string): name is PolicyName => Object.hasOwn(POLICIES, name)

/** The content of a source: its values, or `undefined` if they could not be parsed. */
export type FoundPolicies = { readonly from: string; readonly values: unknown; readonly unreadable?: boolean }

/**
 * Merges the sources, weakest first. An invalid value does not affect the others, and nothing here prevents the app
 * from starting.
 */
export function readPolicies(found: readonly FoundPolicies[]): Managed | undefined {
  if (found.length === 0) return undefined
  const values: Record<string, unknown> = {}
  const origins: Partial<Record<PolicyName, string>> = {}
  const unknown: IgnoredPolicy[] = []
  const refused: IgnoredPolicy[] = []
  for (const { from, values: given } of found) {
    for (const [name, value] of Object.entries(isRecord(given) ? given : {})) {
      if (value === undefined || value === null) continue
      if (!isPolicyName(name)) {
        unknown.push({ name: shortened(name), from })
        continue
      }
      const parsed = v.safeParse(POLICIES[name].schema, value)
      if (parsed.success) {
        values[name] = parsed.output
        origins[name] = from
      } else {
        refused.push({ name, from })
      }
    }
  }
  return { sources: found.map(sourceOf), values, origins, unknown, refused }
}

const sourceOf = ({ from, values, unreadable }: FoundPolicies): PolicySource => {
  if (unreadable === true) return { from, problem: 'unreadable' }
  return isRecord(values) ? { from } : { from, problem: 'not-policies' }
}

/** It is displayed, and its length is arbitrary. */
const shortened = (name: string): string => name.slice(0, 60)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const LINE = /^\s+(\S+)\s+(REG_\w+)\s*(.*)$/

/** Parses the output of `reg query KEY` into the types of the policies: a switch is 0 or 1 there. */
export function readRegistryOutput(output: string): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const text of output.split(/\r?\n/)) {
    const [, name, type, written] = LINE.exec(text) ?? []
    if (name !== undefined && type !== undefined) values[name] = valueOf(name, type, written ?? '')
  }
  return values
}

function valueOf(name: string, type: string, written: string): unknown {
  switch (type) {
    case 'REG_DWORD':
    case 'REG_QWORD': {
      const number = Number(written)
      const isSwitch = isPolicyName(name) && POLICIES[name].kind === 'switch'
      return isSwitch && (number === 0 || number === 1) ? number === 1 : number
    }
    case 'REG_MULTI_SZ':
      return written.split(String.raw`\0`).filter((part) => part !== '')
    default:
      return written
  }
}

/** What `--print-policies` prints as JSON. */
type PolicyReport = {
  /** Whether every source and every name in it was understood. */
  readonly understood: boolean
  readonly sources: Managed['sources']
  /** Every policy that exists. `value` null: the user decides. */
  readonly policies: { readonly [Name in PolicyName]?: { readonly value: unknown; readonly from: string | null } }
  readonly unknown: Managed['unknown']
  readonly refused: Managed['refused']
}

const NONE: Managed = { sources: [], values: {}, origins: {}, unknown: [], refused: [] }

/** The policies in effect on this device, for the administrator who set them. */
export function policyReport({ sources, values, origins, unknown, refused }: Managed = NONE): PolicyReport {
  return {
    understood: sources.every(({ problem }) => problem === undefined) && unknown.length + refused.length === 0,
    sources,
    policies: Object.fromEntries(
      POLICY_NAMES.map((name) => [name, { value: values[name] ?? null, from: origins[name] ?? null }]),
    ),
    unknown,
    refused,
  }
}

type Rule = {
  readonly policy: PolicyName
  /** Applies the policy to the settings; the same object if it changes nothing. */
  readonly apply: (settings: Settings, policies: Policies) => Settings
  /** Restores the user's own value of the managed part, so that it is stored and applies again without the policy. */
  readonly restore: (changed: Settings, before: Settings) => Settings
}

const RULES: readonly Rule[] = [
  {
    policy: 'AllowLinkPreviews',
    apply: (settings, { AllowLinkPreviews }) =>
      AllowLinkPreviews === false
        ? { ...settings, linkPreviews: { ...settings.linkPreviews, mode: 'off', channels: {} } }
        : settings,
    restore: (changed, before) => ({ ...changed, linkPreviews: before.linkPreviews }),
  },
  {
    policy: 'NotificationContent',
    apply: (settings, { NotificationContent: preview }) =>
      preview === undefined ? settings : { ...settings, notifications: { ...settings.notifications, preview } },
    restore: (changed, before) => ({
      ...changed,
      notifications: { ...changed.notifications, preview: before.notifications.preview },
    }),
  },
  {
    policy: 'CacheRetentionDays',
    apply: (settings, { CacheRetentionDays: keepMessagesDays }) =>
      keepMessagesDays === undefined ? settings : { ...settings, keepMessagesDays },
    restore: (changed, before) => ({ ...changed, keepMessagesDays: before.keepMessagesDays }),
  },
  {
    policy: 'UpdateMode',
    apply: (settings, { UpdateMode: updates }) =>
      updates === undefined ? settings : { ...settings, desktop: { ...settings.desktop, updates } },
    restore: (changed, before) => ({ ...changed, desktop: { ...changed.desktop, updates: before.desktop.updates } }),
  },
]

/** A settings store in which managed settings have the value of the policy. The user's choices stay on disk. */
export function managedStore(store: SettingsStore, policies: Policies): SettingsStore {
  const rules = RULES.filter(({ policy }) => isHeld(policy, policies))
  if (rules.length === 0) return store
  const held = (settings: Settings): Settings => rules.reduce((sofar, { apply }) => apply(sofar, policies), settings)
  let known: { readonly chosen: Settings; readonly effective: Settings } | undefined
  /** The same object while nothing changed, as with the store itself. */
  const effective = (chosen: Settings): Settings => {
    if (known?.chosen !== chosen) known = { chosen, effective: held(chosen) }
    return known.effective
  }
  return {
    ...store,
    settings: () => effective(store.settings()),
    update(changes, times) {
      const before = store.settings()
      const merged = { ...before, ...changes } as Settings
      const restored = rules.reduce((sofar, { restore }) => restore(sofar, before), merged)
      const names = Object.keys(changes) as (keyof Settings)[]
      const allowed = names.filter((name) => changes[name] !== undefined).map((name) => [name, restored[name]])
      return effective(store.update(Object.fromEntries(allowed) as Partial<Settings>, times))
    },
  }
}

/** Allowing previews changes nothing; every other policy applies when it is present. */
const isHeld = (policy: PolicyName, policies: Policies): boolean =>
  policy === 'AllowLinkPreviews' ? policies.AllowLinkPreviews === false : policies[policy] !== undefined
