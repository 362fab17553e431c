import { useState, type KeyboardEvent, useEffect } from 'react'
import {
  GLOBAL_KEYS,
  type GlobalKeys as GlobalKeysName,
  type DesktopChoices,
  type DesktopState,
} from '#shared/domain/desktop/desktop.ts'
import { wantsTray, closeBehavior, globalAccelerator } from '#shared/rules/desktop/desktop.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useTexts, useErrorText } from '../../../i18n/index.ts'
import { useAppDispatch, useHost, useSettings } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Segments } from '../../../ui/Choice/Choice.tsx'
import { chordOf, keysOf } from '../../../lib/text/chords.ts'
import { focusOnce } from '../../../lib/page/focus.ts'
import { Keys } from '../../../ui/Keys/Keys.tsx'
import { command } from '../../../store/command.ts'
import { SettingRow, SwitchRow } from '../controls/SettingRow.tsx'
import styles from '../Settings.module.css'

/** How Parlor starts and runs. What this device cannot do says why, instead of a control that does nothing. */
export function DesktopRows({ page }: RowProps) {
  const t = useTexts('desktop')
  const { state } = page
  if (state === undefined) return null
  return (
    <>
      <h2>{t('page.starting')}</h2>
      <StartRows page={page} />
      <h2>{t('page.running')}</h2>
      <TrayRow page={page} hasPlace={state.trayHasPlace} />
      <ClosingRow page={page} trayVisible={state.trayHasPlace} />
      <DownloadsRow page={page} />
    </>
  )
}

/** Shortcuts of the whole system, screenshots, graphics and the battery. */
export function RareDesktopRows({ page }: RowProps) {
  const t = useTexts('desktop')
  const { state } = page
  if (state === undefined) return null
  return (
    <>
      {GLOBAL_KEYS.map((what) => (
        <GlobalKeys key={what} page={page} what={what} taken={state.keysTaken.includes(what)} />
      ))}
      <ProtectionRow page={page} can={state.can.protection} />
      {state.graphics === undefined ? null : <GraphicsRow page={page} inUse={state.graphics.inUse} />}
      {state.can.battery ? (
        <SwitchRow
          title={t('page.battery')}
          hint={t('page.batteryHint')}
          on={page.choices.saveOnBattery}
          onChange={(saveOnBattery) => void page.choose({ saveOnBattery })}
        />
      ) : null}
    </>
  )
}

type RowProps = { readonly page: DesktopPage }

function TrayRow({ page: { choices, choose }, hasPlace }: RowProps & { readonly hasPlace: boolean }) {
  const t = useTexts('desktop')
  const { os } = useHost()
  return (
    <SwitchRow
      title={t('page.tray')}
      hint={hasPlace ? t('page.trayHint') : t('page.trayNoPlace')}
      on={wantsTray(choices, os)}
      onChange={(on) => void choose({ tray: on ? 'on' : 'off' })}
    />
  )
}

function ClosingRow({ page: { choices, choose }, trayVisible }: RowProps & { readonly trayVisible: boolean }) {
  const t = useTexts('desktop')
  const { os } = useHost()
  const hasTray = trayVisible && wantsTray(choices, os)
  const does = closeBehavior(choices, os, hasTray)
  const why = does === 'quit' && !hasTray ? 'noTray' : does
  return (
    <SettingRow title={t('page.closing')} hint={t(`page.closingHints.${why}`)}>
      {os === 'macos' || !hasTray ? null : (
        <Segments
          label={t('page.closing')}
          value={choices.closing === 'tray' || does === 'ask' ? 'tray' : 'quit'}
          onChange={(closing) => void choose({ closing })}
          choices={(['tray', 'quit'] as const).map((value) => ({ value, label: t(`page.closingModes.${value}`) }))}
        />
      )}
    </SettingRow>
  )
}

function StartRows({ page: { choices, choose, refused } }: RowProps) {
  const t = useTexts('desktop')
  return (
    <>
      <SwitchRow
        title={t('page.startAtLogin')}
        hint={t('page.startAtLoginHint')}
        on={choices.startAtLogin}
        onChange={(startAtLogin) => void choose({ startAtLogin })}
      />
      {refused?.field === 'startAtLogin' || refused?.field === 'startHidden' ? (
        <p role="alert" className={styles['hint']}>
          {refused.text}
        </p>
      ) : null}
      <SwitchRow
        title={t('page.startHidden')}
        hint={t('page.startHiddenHint')}
        on={choices.startHidden}
        onChange={(startHidden) => void choose({ startHidden })}
      />
    </>
  )
}

function DownloadsRow({ page: { choices, choose } }: RowProps) {
  const t = useTexts('desktop')
  const dispatch = useAppDispatch()
  const { downloadFolder: folder } = choices
  const ask = async (): Promise<void> => {
    const answer = await dispatch(chooseFolder(undefined))
    if (answer.ok && answer.value.folder !== undefined) await choose({ downloadFolder: answer.value.folder })
  }
  return (
    <SettingRow
      title={t('page.downloads')}
      hint={folder === '' ? t('page.downloadsAsk') : t('page.downloadsInto', { folder })}
    >
      <Button onClick={() => void ask()}>{t('page.downloadsChoose')}</Button>
      {folder === '' ? null : (
        <Button onClick={() => void choose({ downloadFolder: '' })}>{t('page.downloadsForget')}</Button>
      )}
    </SettingRow>
  )
}

function GraphicsRow({ page: { choices, choose }, inUse }: RowProps & { readonly inUse: boolean }) {
  const t = useTexts('desktop')
  return (
    <SwitchRow
      title={t('page.graphics')}
      hint={t(choices.graphics === inUse ? 'page.graphicsHint' : 'page.graphicsLater')}
      on={choices.graphics}
      onChange={(graphics) => void choose({ graphics })}
    />
  )
}

function ProtectionRow({ page: { choices, choose }, can }: RowProps & { readonly can: boolean }) {
  const t = useTexts('desktop')
  if (!can) return <SettingRow title={t('page.protection')} hint={t('page.protectionUnable')} />
  return (
    <SwitchRow
      title={t('page.protection')}
      hint={t('page.protectionHint')}
      on={choices.contentProtection}
      onChange={(contentProtection) => void choose({ contentProtection })}
    />
  )
}

type Props = { readonly page: DesktopPage; readonly what: GlobalKeysName; readonly taken: boolean }

/** Keys that work in every program: pressed to be chosen, and refused by name where they would take something away. */
function GlobalKeys({ page, what, taken }: Props) {
  const t = useTexts('desktop')
  const { os } = useHost()
  const [waiting, setWaiting] = useState(false)
  const [unfit, setUnfit] = useState(false)
  const shortcut = page.choices[what]
  const title = t(`page.${what}`)
  const problem = unfit
    ? t('page.shortcutRefused')
    : page.refused?.field === what
      ? page.refused.text
      : taken
        ? t('page.shortcutTaken')
        : undefined
  const choose = (chord: string): void => {
    setWaiting(false)
    void page.choose({ [what]: chord })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') return setWaiting(false)
    const chord = chordOf(event.nativeEvent, os)
    if (chord === undefined) return
    const fits = globalAccelerator(chord) !== undefined
    setUnfit(!fits)
    if (fits) choose(chord)
  }
  return (
    <>
      <SettingRow title={title} hint={t(`page.${what}Hint`)}>
        {shortcut === '' || waiting ? null : <Keys keys={keysOf(shortcut, os)} />}
        {waiting ? (
          <Button ref={focusOnce} onKeyDown={onKeyDown} onBlur={() => setWaiting(false)}>
            {t('page.shortcutPress')}
          </Button>
        ) : (
          <Button aria-label={t('page.shortcutRecordOf', { name: title })} onClick={() => setWaiting(true)}>
            {t('page.shortcutRecord')}
          </Button>
        )}
        {shortcut === '' ? null : (
          <Button aria-label={t('page.shortcutClearOf', { name: title })} onClick={() => choose('')}>
            {t('page.shortcutClear')}
          </Button>
        )}
      </SettingRow>
      {problem === undefined ? null : (
        <p role="alert" className={styles['hint']}>
          {problem}
        </p>
      )}
    </>
  )
}

export type DesktopPage = {
  readonly choices: DesktopChoices
  /** Absent until main has responded. */
  readonly state: DesktopState | undefined
  /** Why the last choice could not be saved, and which one it was. */
  readonly refused: { readonly field: keyof DesktopChoices; readonly text: string } | undefined
  readonly choose: (changes: Partial<DesktopChoices>) => Promise<void>
}

/** The choices, what this computer supports, and why one was refused. */
export function useDesktop(): DesktopPage {
  const dispatch = useAppDispatch()
  const errorText = useErrorText()
  const { desktop: choices } = useSettings()
  const [state, setState] = useState<DesktopState>()
  const [refusal, setRefusal] = useState<{ readonly field: keyof DesktopChoices; readonly error: ErrorBody }>()
  useEffect(() => {
    void dispatch(askDesktop(undefined)).then((answer) => answer.ok && setState(answer.value))
  }, [dispatch])
  const choose = async (changes: Partial<DesktopChoices>): Promise<void> => {
    const [field] = Object.keys(changes) as (keyof DesktopChoices)[]
    const answer = await dispatch(chooseDesktop({ ...choices, ...changes }))
    // Other facts may have changed with it.
    const current = await dispatch(askDesktop(undefined))
    if (current.ok) setState(current.value)
    setRefusal(answer.ok || field === undefined ? undefined : { field, error: answer.error })
  }
  const refused = refusal && { field: refusal.field, text: errorText(refusal.error) }
  return { choices, state, refused, choose }
}

const askDesktop = command('desktop/asked', (_input: undefined, engine) => engine.desktop.state(), {
  quiet: true,
})

/** Refused beside the row that asked. */
const chooseDesktop = command(
  'desktop/chosen',
  (desktop: DesktopChoices, engine) => engine.settings.update({ desktop }),
  { quiet: true },
)

const chooseFolder = command('desktop/folderChosen', (_input: undefined, engine) => engine.desktop.chooseFolder())
