import type { Policies, PolicyName } from '#shared/domain/desktop/policies.ts'
import type { Settings } from '#shared/domain/settings.ts'
import type { SettingsStore } from '../store.ts'

type Rule = {
  readonly policy: PolicyName
  /** The settings as the policy wants them; the same where it wants nothing else. */
  readonly hold: (settings: Settings, policies: Policies) => Settings
  /** The part the policy holds, as the person had chosen it: it comes back when the policy goes. */
  readonly keep: (changed: Settings, before: Settings) => Settings
}

const RULES: readonly Rule[] = [
  {
    policy: 'AllowLinkPreviews',
    hold: (settings, { AllowLinkPreviews }) =>
      AllowLinkPreviews === false
        ? { ...settings, linkPreviews: { ...settings.linkPreviews, mode: 'off', channels: {} } }
        : settings,
    keep: (changed, before) => ({ ...changed, linkPreviews: before.linkPreviews }),
  },
  {
    policy: 'NotificationContent',
    hold: (settings, { NotificationContent: preview }) =>
      preview === undefined ? settings : { ...settings, notifications: { ...settings.notifications, preview } },
    keep: (changed, before) => ({
      ...changed,
      notifications: { ...changed.notifications, preview: before.notifications.preview },
    }),
  },
  {
    policy: 'CacheRetentionDays',
    hold: (settings, { CacheRetentionDays: keepMessagesDays }) =>
      keepMessagesDays === undefined ? settings : { ...settings, keepMessagesDays },
    keep: (changed, before) => ({ ...changed, keepMessagesDays: before.keepMessagesDays }),
  },
  {
    policy: 'UpdateMode',
    hold: (settings, { UpdateMode: updates }) =>
      updates === undefined ? settings : { ...settings, desktop: { ...settings.desktop, updates } },
    keep: (changed, before) => ({ ...changed, desktop: { ...changed.desktop, updates: before.desktop.updates } }),
  },
]

/** The same store, in which a managed setting has the value it was given. What the person had chosen stays on disk. */
export function managedStore(store: SettingsStore, policies: Policies): SettingsStore {
  const rules = RULES.filter(({ policy }) => isHeld(policy, policies))
  if (rules.length === 0) return store
  const held = (settings: Settings): Settings => rules.reduce((sofar, { hold }) => hold(sofar, policies), settings)
  let known: { readonly chosen: Settings; readonly effective: Settings } | undefined
  /** The same object while nothing changed, as the store itself answers. */
  const effective = (chosen: Settings): Settings => {
    if (known?.chosen !== chosen) known = { chosen, effective: held(chosen) }
    return known.effective
  }
  return {
    ...store,
    settings: () => effective(store.settings()),
    update(changes) {
      const before = store.settings()
      const merged = { ...before, ...changes } as Settings
      const kept = rules.reduce((sofar, { keep }) => keep(sofar, before), merged)
      const names = Object.keys(changes) as (keyof Settings)[]
      const allowed = names.filter((name) => changes[name] !== undefined).map((name) => [name, kept[name]])
      return effective(store.update(Object.fromEntries(allowed) as Partial<Settings>))
    },
  }
}

/** Previews may be allowed, which holds nothing; the others hold by standing there. */
const isHeld = (policy: PolicyName, policies: Policies): boolean =>
  policy === 'AllowLinkPreviews' ? policies.AllowLinkPreviews === false : policies[policy] !== undefined
