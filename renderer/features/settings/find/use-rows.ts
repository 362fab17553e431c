import { useTexts } from '../../../i18n/index.ts'
import { fold } from '../../../lib/text/fold.ts'
import type { SettingsSection } from '../../../store/window/kinds.ts'
import type { ShortcutGroup } from '../../../app/keys/shortcuts.tsx'
import { useRegistry, type RegisteredPage } from '../../../registry/feature.ts'
import { selectEmojiTerms } from '../../../store/selectors.ts'
import { useAppSelector } from '../../../store/hooks.ts'

/** A searchable setting, with its texts in the language of the window. */
export type FoundSetting = {
  readonly section: SettingsSection
  /** The row's title, which identifies the row on its page. */
  readonly title: string
  readonly text: string
}

type Row = readonly [section: SettingsSection, title: string, ...more: readonly string[]]

/** All searchable settings. A row missing here still works on its page. */
export function useRows(shortcuts: readonly ShortcutGroup[]): readonly FoundSetting[] {
  const t = useTexts('settings')
  const rows = [...useWindowRows(), ...useMessageRows(), ...usePrivacyRows(), ...usePersonRows(), ...useDeviceRows()]
  const pages = usePages().map(({ name }): Row => [name, t(`${name}.title`), t(`${name}.lead`)])
  const keys = shortcuts.flatMap((group) => group.shortcuts.map(({ label }): Row => ['keyboard', label]))
  return [...pages, ...rows, ...keys].map(([section, title, ...more]) => ({
    section,
    title,
    text: fold([title, ...more].join(' ')),
  }))
}

/** How the window looks, notifies and speaks. */
function useWindowRows(): readonly Row[] {
  const t = useTexts('settings')
  const n = useTexts('notifications')
  return [
    ['appearance', t('appearance.theme'), t('appearance.themes.dark'), t('appearance.themes.light')],
    ['appearance', t('appearance.accent'), t('appearance.accentHint')],
    ['appearance', t('appearance.width'), t('appearance.widthHint')],
    ['appearance', t('appearance.density'), t('appearance.densityHint')],
    ['appearance', t('appearance.textSize'), t('appearance.textSizeHint')],
    ['appearance', t('appearance.motion'), t('appearance.motionHint')],
    ['appearance', t('appearance.sidebar')],
    ['notifications', n('page.level')],
    ['notifications', n('page.preview')],
    ['notifications', n('page.presenting'), n('page.presentingHint')],
    ['notifications', n('page.keywords'), n('page.keywordsHint')],
    ['notifications', n('page.channels')],
    ['notifications', n('page.hours'), n('page.hoursHint')],
    ['notifications', n('page.pause')],
    ['notifications', n('page.sound'), n('page.soundOf.message'), n('page.soundOf.reminder')],
    ['notifications', n('page.badge')],
    ['notifications', n('page.help'), n('page.prove'), n('page.last')],
    ['notifications', n('page.file'), n('page.fileChoose')],
    ['language', t('language.language'), t('language.names.en'), t('language.names.pl'), t('language.names.ru')],
    ['language', t('language.clock'), t('language.clockHint')],
    ['language', t('language.week'), t('language.weekHint')],
  ]
}

/** Writing and reading messages. */
function useMessageRows(): readonly Row[] {
  const t = useTexts('settings')
  const c = useTexts('composer')
  const desk = useTexts('desktop')
  const details = useTexts('details')
  const hasEmoji = useAppSelector((state) => selectEmojiTerms(state) !== undefined)
  return [
    ['messages', t('composing.enter'), t('composing.enterSendsHint')],
    ['messages', t('composing.undoSend'), t('composing.undoSendHint')],
    ['messages', c('choices.up'), c('choices.upHint')],
    ['messages', c('choices.formatting'), c('choices.formattingHint')],
    ['language', desk('spelling.title'), desk('spelling.hint')],
    ['messages', t('reading.autoRead'), t('reading.modes.by-hand')],
    ...(hasEmoji ? [['messages', t('emoji.title'), t('emoji.lead')] as const] : []),
    ['messages', t('snippets.title'), t('snippets.hint')],
    ['messages', details('blurMedia.title'), details('blurMedia.hint')],
    ['messages', details('hiddenMedia.list'), details('hiddenMedia.nowhere')],
  ]
}

/** What others see, and who may open Parlor. */
function usePrivacyRows(): readonly Row[] {
  const p = useTexts('preferences')
  const c = useTexts('composer')
  const l = useTexts('lock')
  const places = useTexts('locations')
  return [
    ['privacy', p('privacy.typing'), p('privacy.typingHint')],
    ['privacy', p('privacy.reads'), p('privacy.readsHint')],
    ['privacy', p('privacy.delivery'), p('privacy.deliveryHint')],
    ['privacy', p('privacy.presence'), p('privacy.presenceHint')],
    ['privacy', p('privacy.traceless'), p('privacy.tracelessHint')],
    ['privacy', p('privacy.location'), p('privacy.locationHint')],
    ['messages', p('privacy.drafts'), p('privacy.draftsHint')],
    ['privacy', places('track.show'), places('track.hint')],
    ['messages', c('previews.settings.title'), c('previews.settings.hint')],
    ['privacy', l('settings.pin'), l('settings.pinHint'), l('settings.lock')],
    ['privacy', p('privacy.blocked'), p('privacy.unblock')],
    ['privacy', p('privacy.reports'), p('privacy.reportsHint')],
  ]
}

/** The accounts, the own profile and accessibility. */
function usePersonRows(): readonly Row[] {
  const p = useTexts('preferences')
  const accounts = useTexts('accounts')
  const stay = useTexts('notices')
  return [
    ['account', p('accounts.userId')],
    ['account', p('profile.title'), p('profile.name'), p('profile.picture'), p('profile.status')],
    ['account', accounts('menu.out'), accounts('menu.mute'), accounts('menu.edit')],
    ['account', accounts('add'), accounts('renew.open')],
    ['accessibility', p('accessibility.speech'), p('accessibility.hear')],
    ['accessibility', p('accessibility.rows')],
    ['accessibility', stay('stay.title'), stay('stay.hint')],
    ['accessibility', p('accessibility.letters')],
    ['accessibility', p('accessibility.keys')],
  ]
}

/** Parlor on this device: the desktop, the network, the disk and the version. */
function useDeviceRows(): readonly Row[] {
  const t = useTexts('settings')
  const p = useTexts('preferences')
  const desk = useTexts('desktop')
  const d = useTexts('data')
  const u = useTexts('updates')
  return [
    ['system', desk('page.tray'), desk('page.trayHint')],
    ['system', desk('page.closing')],
    ['system', desk('page.shortcut'), desk('page.shortcutHint')],
    ['system', desk('page.quietShortcut'), desk('page.quietShortcutHint')],
    ['system', desk('page.startAtLogin'), desk('page.startAtLoginHint')],
    ['system', desk('page.startHidden'), desk('page.startHiddenHint')],
    ['system', desk('page.downloads')],
    ['system', desk('page.protection'), desk('page.protectionHint')],
    ['system', desk('page.battery'), desk('page.batteryHint')],
    ['system', desk('page.graphics'), desk('page.graphicsHint')],
    ['system', t('network.way'), t('network.modes.manual'), t('network.modes.pac')],
    ['system', desk('certificates.title'), desk('certificates.hint')],
    ['system', desk('identity.title'), desk('identity.hint')],
    ['system', t('storage.use')],
    ['system', t('storage.age'), t('storage.ageHint')],
    ['system', t('storage.size'), t('storage.sizeHint')],
    ['system', d('folder'), d('folderHint')],
    ['system', d('accountFile.title'), d('accountFile.hint')],
    ['system', d('workspaceFile'), d('workspaceFileHint')],
    ['system', d('export'), d('exportHint')],
    ['system', d('clear'), d('clearHint')],
    ['system', u('title'), u('look')],
    ['advanced', d('log'), d('logHint')],
    ['advanced', p('advanced.connection'), p('advanced.reconnect')],
    ['advanced', p('advanced.queue')],
    ['advanced', p('advanced.report'), p('advanced.copy')],
    ['advanced', p('problem.title'), p('problem.hint'), p('problem.record')],
    ['advanced', p('advanced.resetAll')],
    ['advanced', p('speed.title'), p('speed.hint')],
    ['advanced', p('advanced.speed')],
    ['advanced', p('advanced.failures')],
    ['advanced', p('advanced.changes')],
  ]
}

/** Settings that contain all words of the query, matches in the title first. Empty for an empty query. */
export function useFoundSettings(query: string, shortcuts: readonly ShortcutGroup[]): readonly FoundSetting[] {
  const rows = useRows(shortcuts)
  const text = fold(query)
    .split(/\s+/)
    .filter((word) => word !== '')
  if (text.length === 0) return []
  const inName = ({ title }: FoundSetting): boolean => text.every((word) => fold(title).includes(word))
  const found = rows.filter((row) => text.every((word) => row.text.includes(word)))
  return [...found.filter(inName), ...found.filter((row) => !inName(row))]
}

/** The pages that there are, in the order of the list. */
export const usePages = (): readonly RegisteredPage[] => useRegistry().settings
