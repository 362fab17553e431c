import type { Policies, PolicyName } from '#shared/domain/desktop/policies.ts'
import type { Settings } from '#shared/domain/settings.ts'
import type { SettingsStore } from '../store.ts'

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
