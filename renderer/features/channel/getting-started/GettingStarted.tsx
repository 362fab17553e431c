import { useEffect, useLayoutEffect, useRef } from 'react'
import { GENERAL_CID, GENERAL_ID } from '#shared/rules/channels/channels.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useChannel, useHost, useMe } from '../../../store/hooks.ts'
import { selectAccount, selectAccounts } from '../../../store/accounts.ts'
import { dialogOpened, routeOpened } from '../../../store/window/ui.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Empty } from '../../../ui/View/Empty.tsx'
import { changeGuide, finishGuide, selectGuide } from './guide.tsx'
import styles from './GettingStarted.module.css'

type StepName = 'workspace' | 'icon' | 'message' | 'people' | 'portrait'

type Step = {
  readonly name: StepName
  /** Done elsewhere in the product. */
  readonly done: boolean
  /** Can be skipped, which counts as done. */
  readonly optional: boolean
  readonly run: () => void
}

/** The first steps in an own workspace, at the beginning of its first channel. */
export function GettingStarted({ name }: { readonly name: string }) {
  const t = useTexts('getting-started')
  const dispatch = useAppDispatch()
  const steps = useSteps()
  const { kept } = useAppSelector(selectGuide)
  const done = steps.filter((step) => step.done).length
  const isOver = done === steps.length && kept !== true
  const isFinished = useRef(false)
  useEffect(() => {
    if (!isOver || isFinished.current) return
    isFinished.current = true
    dispatch(finishGuide())
  }, [dispatch, isOver])
  useLayoutEffect(() => {
    // The notices of the window stand elsewhere meanwhile. A selector that asks the page for the list costs each switch.
    document.documentElement.dataset['firstSteps'] = ''
    return () => {
      delete document.documentElement.dataset['firstSteps']
    }
  }, [])
  const next = steps.find((step) => !step.done)
  return (
    <div className={styles['start']}>
      <Empty scene="chat" title={t('start', { channel: GENERAL_ID })}>
        {t('members', { workspace: name })}
      </Empty>
      <section className={styles['card']} aria-label={t('label', { done, count: steps.length })}>
        <header className={styles['head']}>
          <h3>{t('title')}</h3>
          <span>{t('count', { done, count: steps.length })}</span>
          <span className={styles['meter']} aria-hidden="true">
            <span style={{ width: `${(done / steps.length) * 100}%` }} />
          </span>
          <IconButton icon="x" label={t('close')} onClick={() => dispatch(changeGuide({ closed: true }))} />
        </header>
        <ul>
          {steps.map((step) => (
            <StepRow key={step.name} step={step} isNext={step === next} />
          ))}
        </ul>
      </section>
    </div>
  )
}

function StepRow({ step: { name, done, optional, run }, isNext }: { readonly step: Step; readonly isNext: boolean }) {
  const t = useTexts('getting-started')
  const dispatch = useAppDispatch()
  const { skipped } = useAppSelector(selectGuide)
  const title = t(`steps.${name}.title`)
  return (
    <li className={done ? styles['done'] : undefined} aria-label={done ? t('isDone', { step: title }) : title}>
      <span className={styles['tick']} aria-hidden="true">
        {done ? <Icon name="check" size={16} /> : null}
      </span>
      <span className={styles['what']}>
        <span className={styles['name']}>{title}</span>
        {done || name === 'workspace' ? null : <span className={styles['hint']}>{t(`steps.${name}.hint`)}</span>}
      </span>
      {done || name === 'workspace' ? null : (
        <>
          {optional ? (
            <Button
              variant="quiet"
              size="small"
              aria-label={t('skipStep', { step: title })}
              onClick={() => dispatch(changeGuide({ skipped: [...skipped, name] }))}
            >
              {t('skip')}
            </Button>
          ) : null}
          <Button variant={isNext ? 'primary' : undefined} size="small" onClick={run}>
            {t(`steps.${name}.do`)}
          </Button>
        </>
      )}
    </li>
  )
}

/** Each is something that works today, and ticks itself when it is done anywhere. */
function useSteps(): readonly Step[] {
  const dispatch = useAppDispatch()
  const { capabilities } = useHost()
  const me = useMe()
  const general = useChannel(GENERAL_CID)
  const { skipped } = useAppSelector(selectGuide)
  const account = useAppSelector((state) => selectAccount(state, selectAccounts(state).shown ?? ''))
  const hasWritten = useAppSelector(({ entities }) =>
    Object.values(entities.channels).some(({ notes, lastMessageAt }) => notes !== true && lastMessageAt !== undefined),
  )
  const steps: readonly (Step & { readonly offered: boolean })[] = [
    { name: 'workspace', done: true, optional: false, offered: true, run: () => {} },
    {
      name: 'message',
      done: hasWritten,
      optional: false,
      offered: true,
      run: () => document.querySelector<HTMLElement>(`[data-composer="${GENERAL_CID}"]`)?.focus(),
    },
    {
      name: 'people',
      done: (general?.memberCount ?? 1) > 1,
      optional: true,
      // They get a window of their own, which not every host can open.
      offered: capabilities.severalWindows,
      run: () => void dispatch(dialogOpened({ kind: 'open-as', adding: true })),
    },
    {
      name: 'icon',
      done: account?.icon !== undefined,
      optional: true,
      // A window opened as another person belongs to no account.
      offered: account !== undefined,
      run: () => void (account && dispatch(dialogOpened({ kind: 'account', account: account.key }))),
    },
    {
      name: 'portrait',
      done: me?.image !== undefined,
      optional: true,
      offered: true,
      run: () => void dispatch(routeOpened({ view: 'settings', section: 'account' })),
    },
  ]
  return steps
    .filter(({ offered }) => offered)
    .map((step) => ({ ...step, done: step.done || skipped.includes(step.name) }))
}
