import { useTexts } from '../../../i18n/index.ts'
import { fold } from '../../../lib/text/fold.ts'
import type { SettingsSection } from '../../../store/window/kinds.ts'
import type { ShortcutGroup } from '../keys/shortcut.ts'
import { shallowEqual } from 'react-redux'
import { useRegistry, type RegisteredPage } from '../../../registry/registry.ts'
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
    ['notifications', n('page.sound'), n('page.soundHint')],
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
  return [
    ['composing', t('composing.enter'), t('composing.enterSendsHint')],
    ['composing', t('composing.undoSend'), t('composing.undoSendHint')],
    ['composing', c('choices.up'), c('choices.upHint')],
    ['composing', c('choices.formatting'), c('choices.formattingHint')],
    ['composing', desk('spelling.title'), desk('spelling.hint')],
    ['reading', t('reading.autoRead'), t('reading.modes.by-hand')],
    ['reading', details('hiddenMedia.list'), details('hiddenMedia.nowhere')],
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
    ['privacy', p('privacy.drafts'), p('privacy.draftsHint')],
    ['privacy', places('track.show'), places('track.hint')],
    ['privacy', c('previews.settings.title'), c('previews.settings.hint')],
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
    ['workspace', p('accounts.userId')],
    ['workspace', p('profile.title'), p('profile.name'), p('profile.picture'), p('profile.status')],
    ['workspace', accounts('menu.out'), accounts('menu.mute'), accounts('menu.edit')],
    ['workspace', accounts('add'), accounts('renew.open')],
    ['accessibility', p('accessibility.speech'), p('accessibility.hear')],
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
    ['desktop', desk('page.tray'), desk('page.trayHint')],
    ['desktop', desk('page.closing')],
    ['desktop', desk('page.shortcut'), desk('page.shortcutHint')],
    ['desktop', desk('page.quietShortcut'), desk('page.quietShortcutHint')],
    ['desktop', desk('page.startAtLogin'), desk('page.startAtLoginHint')],
    ['desktop', desk('page.startHidden'), desk('page.startHiddenHint')],
    ['desktop', desk('page.downloads')],
    ['desktop', desk('page.protection'), desk('page.protectionHint')],
    ['desktop', desk('page.battery'), desk('page.batteryHint')],
    ['desktop', desk('page.graphics'), desk('page.graphicsHint')],
    ['network', t('network.way'), t('network.modes.manual'), t('network.modes.pac')],
    ['network', desk('certificates.title'), desk('certificates.hint')],
    ['network', desk('identity.title'), desk('identity.hint')],
    ['storage', t('storage.use')],
    ['storage', t('storage.age'), t('storage.ageHint')],
    ['storage', t('storage.size'), t('storage.sizeHint')],
    ['storage', d('folder'), d('folderHint')],
    ['storage', d('export'), d('exportHint')],
    ['storage', d('clear'), d('clearHint')],
    ['about', u('title'), u('look')],
    ['advanced', d('log'), d('logHint')],
    ['advanced', p('advanced.connection'), p('advanced.reconnect')],
    ['advanced', p('advanced.queue')],
    ['advanced', p('advanced.report'), p('advanced.copy')],
    ['advanced', p('advanced.file'), p('advanced.export'), p('advanced.import')],
    ['advanced', p('advanced.resetAll')],
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
export function usePages(): readonly RegisteredPage[] {
  const { settings } = useRegistry()
  return useAppSelector((state) => settings.filter(({ shown }) => shown?.(state) !== false), shallowEqual)
}
