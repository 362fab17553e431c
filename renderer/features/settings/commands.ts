import type { UserId } from '#shared/lib/brand.ts'
import type { Settings, SidebarPlan } from '#shared/domain/settings.ts'
import { command } from '../../store/command.ts'

/** A change of some settings. */
export type SettingsChange = Partial<Omit<Settings, 'sidebars'>>

/** Changes some settings; the result reaches every window as an entity. */
export const updateSettings = command('settings/changed', (changes: SettingsChange, engine) =>
  engine.settings.update(changes),
)

/** Remembers the open channel of each workspace. Nobody asked for it, so a failure is not shown. */
export const rememberChannels = command(
  'settings/channelsRemembered',
  (lastChannels: Settings['lastChannels'], engine) => engine.settings.update({ lastChannels }),
  { quiet: true },
)

/** Saves the sidebar arrangement of one workspace. `plans`: those of all workspaces. */
export const saveSidebar = command(
  'settings/sidebarArranged',
  (input: { readonly plans: Settings['sidebars']; readonly who: string; readonly plan: SidebarPlan }, engine) => {
    return engine.settings.update({ sidebars: { ...input.plans, [input.who]: input.plan } })
  },
)

/** Refused in the dialog that shows them. */
export const loadThirdPartyNotices = command(
  'settings/noticesLoaded',
  (_input: void, engine) => engine.app.thirdPartyNotices(),
  { quiet: true },
)

export const proveNotifications = command('settings/notificationsProved', (_input: void, engine) =>
  engine.notifications.prove(),
)
export const askNotifications = command('settings/notificationsAsked', (_input: void, engine) =>
  engine.notifications.history(),
)

/** Errors are shown in the form. */
export const updateProxy = command(
  'settings/proxyChanged',
  (input: Pick<Settings, 'proxyMode' | 'proxyUrl' | 'proxyUser' | 'proxyBypass'>, engine) =>
    engine.settings.update(input),
  { quiet: true },
)
export const saveProxyPassword = command(
  'settings/proxyPasswordSaved',
  (input: { password: string }, engine) => engine.settings.setProxyPassword(input),
  { quiet: true },
)
export const testNetwork = command(
  'settings/networkTested',
  (input: { url: string }, engine) => engine.settings.testNetwork(input),
  { quiet: true },
)

export const askBlocked = command('settings/blockedAsked', (_input: void, engine) => engine.people.blocked())
export const unblock = command('settings/unblocked', (input: { userId: UserId }, engine) =>
  engine.people.block({ ...input, blocked: false }),
)
export const reconnect = command('settings/reconnected', (_input: void, engine) => engine.session.reconnect())
export const askDiagnostics = command('settings/diagnosticsAsked', (_input: void, engine) => engine.app.diagnostics(), {
  quiet: true,
})
export const countKeywords = command(
  'settings/keywordsCounted',
  (input: { readonly keywords: readonly string[] }, engine) => engine.search.keywords(input),
  { quiet: true },
)

export const askStorage = command('settings/storageAsked', (_input: undefined, engine) => engine.search.storage(), {
  quiet: true,
})

/** Changes the viewer's profile; errors are shown in the form. */
export const changeProfile = command(
  'settings/profileChanged',
  ({ statusUntil, ...input }: { name: string; statusText: string; statusUntil: number | undefined }, engine) =>
    engine.people.changeProfile({ ...input, ...(statusUntil === undefined ? {} : { statusUntil }) }),
  { quiet: true },
)
export const setPortrait = command(
  'settings/portraitSet',
  (input: { picture?: { base64: string; mimeType: 'image/png' } }, engine) => engine.people.setPortrait(input),
  { quiet: true },
)

/** Without a secret the stored one is removed. Errors are shown in the row. */
export const saveApiSecret = command(
  'settings/apiSecretSaved',
  (input: { readonly secret?: string }, engine) => engine.session.saveApiSecret(input),
  { quiet: true },
)

/** Errors are shown in the row. */
export const saveSound = command(
  'settings/soundSaved',
  (input: { name: string; base64: string }, engine) => engine.settings.saveSound(input),
  { quiet: true },
)
export const dropSound = command('settings/soundDropped', (_input: void, engine) => engine.settings.dropSound())
