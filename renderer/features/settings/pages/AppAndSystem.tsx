import { useEffect, useState, useRef } from 'react'
import type { StorageUse } from '#shared/domain/search.ts'
import { useTexts, useFormats } from '../../../i18n/index.ts'
import {
  useAppDispatch,
  useAppSelector,
  useHost,
  useSettings,
  useConnection,
  useSession,
} from '../../../store/hooks.ts'
import { Segments } from '../../../ui/Choice/Choice.tsx'
import { selectAccounts } from '../../../store/accounts.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { UpdateRows } from '../../updates/index.ts'
import { updateSettings, askStorage } from '../commands.ts'
import { More, SettingRow, ManagedBy, useIsManaged } from '../controls/SettingRow.tsx'
import { DesktopRows, RareDesktopRows, useDesktop } from '../desktop/DesktopSettings.tsx'
import { clearCache, showFolder } from '../data/commands.ts'
import { Network } from './Network.tsx'
import styles from '../Settings.module.css'
import fileStyles from '../data/AccountFile.module.css'

/** Parlor as a program of this device: how it starts and runs, its updates, its storage and its connections. */
export function AppAndSystem() {
  const t = useTexts('settings')
  const d = useTexts('desktop')
  const u = useTexts('updates')
  const { kind } = useHost()
  const page = useDesktop()
  return (
    <>
      {kind === 'browser' ? <p className={styles['hint']}>{d('page.elsewhere')}</p> : <DesktopRows page={page} />}
      <h2>{t('storage.title')}</h2>
      <Storage />
      <h2>{u('title')}</h2>
      <UpdateRows />
      <UpdateModeRow />
      <More what={kind === 'browser' ? t('system.moreBrowser') : t('system.more')}>
        {kind === 'browser' ? null : <RareDesktopRows page={page} />}
        <h2>{t('network.title')}</h2>
        <p className={styles['hint']}>{t('network.lead')}</p>
        <Network />
      </More>
    </>
  )
}

const MODES = ['auto', 'notify', 'off'] as const

/** Hidden in builds without updates. */
function UpdateModeRow() {
  const t = useTexts('updates')
  const dispatch = useAppDispatch()
  const unable = useAppSelector(({ updates }) => updates.unable)
  const { desktop } = useSettings()
  const isManaged = useIsManaged('UpdateMode')
  if (unable !== undefined) return null
  return (
    <SettingRow title={t('mode')} hint={t(`modeHints.${desktop.updates}`)}>
      {isManaged ? (
        <ManagedBy />
      ) : (
        <Segments
          label={t('mode')}
          value={desktop.updates}
          onChange={(updates) => void dispatch(updateSettings({ desktop: { ...desktop, updates } }))}
          choices={MODES.map((value) => ({ value, label: t(`modes.${value}`) }))}
        />
      )}
    </SettingRow>
  )
}

const AGES = ['0', '30', '90', '365'] as const
const SIZES = ['500', '2000', '10000', '0'] as const

/** Space used by the cached history, and its limits. The server still has what is removed here. */
export function Storage() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  const formats = useFormats()
  const { keepMessagesDays, cacheBudgetMb } = useSettings()
  const isManaged = useIsManaged('CacheRetentionDays')
  const use = useStorageUse()
  return (
    <>
      <SettingRow title={t('storage.use')} hint={use && <Held use={use} />}>
        <strong>{use ? formats.bytes(use.usedBytes) : null}</strong>
      </SettingRow>
      <SettingRow title={t('storage.age')} hint={isManaged ? <History /> : t('storage.ageHint')}>
        {isManaged ? (
          <ManagedBy />
        ) : (
          <Segments
            label={t('storage.age')}
            value={nearest(AGES, keepMessagesDays)}
            onChange={(days) => void dispatch(updateSettings({ keepMessagesDays: Number(days) }))}
            choices={AGES.map((value) => ({ value, label: t(`storage.ages.${value}`) }))}
          />
        )}
      </SettingRow>
      <SettingRow title={t('storage.size')} hint={t('storage.sizeHint')}>
        <Segments
          label={t('storage.size')}
          value={nearest(SIZES, cacheBudgetMb)}
          onChange={(size) => void dispatch(updateSettings({ cacheBudgetMb: Number(size) }))}
          choices={SIZES.map((value) => ({
            value,
            label: value === '0' ? t('storage.unlimited') : formats.bytes(Number(value) * 1_000_000),
          }))}
        />
      </SettingRow>
      <LocalData />
    </>
  )
}

/** How long messages are stored on this device, as text. */
function History() {
  const t = useTexts('preferences')
  const formats = useFormats()
  const { keepMessagesDays: count, cacheBudgetMb } = useSettings()
  const size = formats.bytes(cacheBudgetMb * 1_000_000)
  if (count === 0) return cacheBudgetMb === 0 ? t('privacy.historyAllNoLimit') : t('privacy.historyAll', { size })
  return cacheBudgetMb === 0 ? t('privacy.historyDaysNoLimit', { count }) : t('privacy.historyDays', { count, size })
}

function Held({ use: { messages, oldestAt } }: { readonly use: StorageUse }) {
  const t = useTexts('settings')
  const formats = useFormats()
  if (oldestAt === undefined) return t('storage.nothing')
  return t('storage.held', { count: messages, number: formats.number(messages), since: formats.shortDate(oldestAt) })
}

/** A settings file edited by hand may have another value: the nearest choice is shown. */
function nearest<Choice extends string>(choices: readonly Choice[], value: number): Choice {
  const [first, ...rest] = choices
  if (first === undefined) throw new Error('no choices')
  const distance = (choice: Choice): number => (Number(choice) === value ? -1 : Math.abs(Number(choice) - value))
  return rest.reduce((best, choice) => (distance(choice) < distance(best) ? choice : best), first)
}

function useStorageUse(): StorageUse | undefined {
  const dispatch = useAppDispatch()
  const [use, setUse] = useState<StorageUse>()
  useEffect(() => {
    let isShown = true
    async function ask(): Promise<void> {
      const answer = await dispatch(askStorage(undefined))
      if (isShown && answer.ok) setUse(answer.value)
    }
    void ask()
    return () => {
      isShown = false
    }
  }, [dispatch])
  return use
}

/** Local data: open its folder, take it to another device, export messages, clear the cache. */
export function LocalData() {
  const t = useTexts('data')
  const dispatch = useAppDispatch()
  const isOwn = useIsOwnWorkspace()
  const [isClearing, setIsClearing] = useState(false)
  return (
    <>
      <SettingRow title={t('folder')} hint={t('folderHint')}>
        <Button onClick={() => void dispatch(showFolder('profile'))}>{t('openFolder')}</Button>
      </SettingRow>
      <SettingRow title={t('accountFile.title')} hint={t('accountFile.hint')}>
        <div className={fileStyles['pair']}>
          <Button icon="download" onClick={() => dispatch(dialogOpened({ kind: 'saveAccountFile' }))}>
            {t('accountFile.saveButton')}
          </Button>
          <Button icon="upload" onClick={() => dispatch(dialogOpened({ kind: 'openAccountFile' }))}>
            {t('accountFile.openButton')}
          </Button>
        </div>
      </SettingRow>
      {isOwn ? (
        <SettingRow title={t('workspaceFile')} hint={t('workspaceFileHint')}>
          <Button icon="laptop" onClick={() => dispatch(dialogOpened({ kind: 'move-workspace' }))}>
            {t('workspaceFileButton')}
          </Button>
        </SettingRow>
      ) : null}
      <SettingRow title={t('export')} hint={t('exportHint')}>
        <Button icon="download" onClick={() => dispatch(dialogOpened({ kind: 'export' }))}>
          {t('exportButton')}
        </Button>
      </SettingRow>
      <SettingRow title={t('clear')} hint={t('clearHint')}>
        <Button variant="risky" onClick={() => setIsClearing(true)}>
          {t('clearButton')}
        </Button>
      </SettingRow>
      {isClearing ? <ClearDialog onClose={() => setIsClearing(false)} /> : null}
    </>
  )
}

/** Not in a window that was opened as another person of it. */
function useIsOwnWorkspace(): boolean {
  const { workspace } = useSession()
  const { shown } = useAppSelector(selectAccounts)
  return workspace?.kind === 'local' && !workspace.demo && shown !== undefined
}

function ClearDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('data')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const cancel = useRef<HTMLButtonElement>(null)
  const clear = (): void => {
    onClose()
    void dispatch(clearCache())
  }
  return (
    <Dialog
      alert
      width={400}
      title={t('clearTitle')}
      initialFocus={cancel}
      onClose={onClose}
      actions={
        <>
          <Button ref={cancel} onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button variant="danger" onClick={clear}>
            {t('clearNow')}
          </Button>
        </>
      }
    >
      <p>{t('clearText')}</p>
      {offline ? <p>{t('clearOffline')}</p> : null}
    </Dialog>
  )
}
