import { useCallback, useEffect, useState } from 'react'
import type { Download } from '#shared/domain/desktop/desktop.ts'
import { useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useHost } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { command } from '../../../store/command.ts'
import styles from './Downloads.module.css'

/** How often the list is loaded while a download is running. */
const LOOK_AGAIN_MS = 700

/** The downloads since Parlor was started, with their progress and actions. */
export function DownloadsDialog() {
  const t = useTexts('downloads')
  const { kind } = useHost()
  const dispatch = useAppDispatch()
  const { list, fault, act, clear } = useDownloads(kind === 'electron')
  const hasEnded = list.some(({ state }) => state !== 'running')
  return (
    <Dialog
      title={t('title')}
      width={560}
      onClose={() => dispatch(dialogClosed())}
      {...(hasEnded ? { actions: <Button onClick={() => void clear()}>{t('clear')}</Button> } : {})}
    >
      {list.length === 0 ? (
        <DialogText muted>{t(kind === 'electron' ? 'empty' : 'browser')}</DialogText>
      ) : (
        <ul className={styles['list']}>
          {list.map((one) => (
            <Line key={one.id} download={one} act={act} />
          ))}
        </ul>
      )}
      <Refusal text={fault} />
    </Dialog>
  )
}

type Act = (id: string, what: 'open' | 'show' | 'again' | 'cancel') => Promise<void>

function useDownloads(canAsk: boolean) {
  const dispatch = useAppDispatch()
  const [list, setList] = useState<readonly Download[]>([])
  const fault = useRemark()
  const ask = useCallback(
    () => dispatch(loadDownloads(undefined)).then((answer) => void (answer.ok && setList(answer.value))),
    [dispatch],
  )
  useEffect(() => {
    if (canAsk) void ask()
  }, [canAsk, ask])
  const isRunning = list.some(({ state }) => state === 'running')
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => void ask(), LOOK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [isRunning, ask])
  const act: Act = async (id, what) => {
    const done = await dispatch(runDownloadAction({ id, what }))
    if (done.ok) fault.clear()
    else fault.refuse(done.error)
    await ask()
  }
  const clear = async (): Promise<void> => {
    await dispatch(clearDownloads(undefined))
    await ask()
  }
  return { list, fault: fault.text, act, clear }
}

const ACTIONS = { running: ['cancel'], done: ['open', 'show'], broken: ['again'] } as const

function Line({ download, act }: { readonly download: Download; readonly act: Act }) {
  const t = useTexts('downloads')
  const { id, name, state } = download
  return (
    <li className={styles['line']}>
      <div className={styles['text']}>
        <bdi className={styles['name']}>{name}</bdi>
        <StateText download={download} />
      </div>
      <div className={styles['actions']}>
        {ACTIONS[state].map((what) => (
          <Button key={what} size="small" aria-label={t(`named.${what}`, { name })} onClick={() => void act(id, what)}>
            {t(`ways.${what}`)}
          </Button>
        ))}
      </div>
    </li>
  )
}

function StateText({ download: { state, receivedBytes, totalBytes, at } }: { readonly download: Download }) {
  const t = useTexts('downloads')
  const formats = useFormats()
  const total = formats.bytes(totalBytes)
  return (
    <span className={styles['state']}>
      {state === 'running'
        ? t('states.running', { received: formats.bytes(receivedBytes), total })
        : state === 'done'
          ? t('states.done', { total, time: formats.time(at) })
          : t('states.broken')}
    </span>
  )
}

const loadDownloads = command('downloads/asked', (_input: undefined, engine) => engine.desktop.downloads(), {
  quiet: true,
})
/** Quiet: the dialog shows the error. */
const runDownloadAction = command(
  'downloads/done',
  (input: { readonly id: string; readonly what: 'open' | 'show' | 'again' | 'cancel' }, engine) =>
    engine.desktop.download(input),
  { quiet: true },
)
const clearDownloads = command('downloads/cleared', (_input: undefined, engine) => engine.desktop.clearDownloads())
