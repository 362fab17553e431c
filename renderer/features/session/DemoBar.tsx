import { useEffect, useId, useRef, useState } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { richText } from '../../lib/text/rich.tsx'
import { useAppDispatch, useSession, useSettings } from '../../store/hooks.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Switch } from '../../ui/Choice/Switch.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Mark } from '../../ui/Mark/Mark.tsx'
import { Popover } from '../../ui/Popover/Popover.tsx'
import { updateSettings } from '../settings/index.ts'
import styles from './DemoBar.module.css'

/**
 * In the title strip of the demo: what it is, and the way to an own workspace. It takes no height, so nothing moves when
 * it goes. Where the window is narrow it is a chip with the same popover.
 */
export function DemoBar() {
  const { workspace } = useSession()
  return workspace?.demo === true ? <Bar /> : null
}

function Bar() {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  const [anchor, setAnchor] = useState<Element>()
  const peopleId = useId()
  const text = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    announce(text.current?.textContent ?? '')
  }, [])
  return (
    <section className={styles['bar']} aria-label={t('demo.region')} data-region="demo">
      <Mark size={16} />
      <span ref={text} className={styles['text']}>
        {richText((values) => t('demo.bar', values), {})}
      </span>
      <span className={styles['people']}>
        <span id={peopleId}>{t('demo.people')}</span>
        <ActivePeopleSwitch labelledBy={peopleId} />
      </span>
      <button
        type="button"
        className={styles['create']}
        onClick={() => dispatch(dialogOpened({ kind: 'create-workspace' }))}
      >
        {t('demo.create')}
      </button>
      <button
        type="button"
        className={styles['about']}
        aria-label={t('demo.about')}
        aria-haspopup="dialog"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor(anchor === undefined ? currentTarget : undefined)}
      >
        <span className={styles['chip']}>{t('demo.region')}</span>
        <Icon name="chevron-down" size={16} />
      </button>
      {anchor === undefined ? null : <About anchor={anchor} onClose={() => setAnchor(undefined)} />}
    </section>
  )
}

/** Whether the invented people come, go and write. Off, everything stays as it is. */
function ActivePeopleSwitch(props: Omit<Parameters<typeof Switch>[0], 'on' | 'onChange'>) {
  const dispatch = useAppDispatch()
  const { activePeople } = useSettings()
  return <Switch {...props} on={activePeople} onChange={(on) => void dispatch(updateSettings({ activePeople: on }))} />
}

function About({ anchor, onClose }: { readonly anchor: Element; readonly onClose: () => void }) {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  const id = useId()
  const first = useRef<HTMLDivElement>(null)
  useEffect(() => first.current?.querySelector('button')?.focus(), [])
  const open = (kind: 'create-workspace' | 'restart-demo' | 'delete-demo') => () => {
    onClose()
    dispatch(dialogOpened({ kind }))
  }
  return (
    <Popover label={t('demo.about')} anchor={anchor} onClose={onClose}>
      <div className={styles['popover']} ref={first}>
        <h2 className={styles['title']}>
          <Mark size={20} />
          {t('demo.about')}
        </h2>
        <p className={styles['lead']}>{t('demo.aboutText')}</p>
        <div className={styles['peopleRow']}>
          <span>
            <span id={`${id}-people`} className={styles['peopleName']}>
              {t('demo.people')}
            </span>
            <span id={`${id}-hint`} className={styles['peopleHint']}>
              {t('demo.peopleHint')}
            </span>
          </span>
          <ActivePeopleSwitch labelledBy={`${id}-people`} describedBy={`${id}-hint`} />
        </div>
        <div className={styles['ways']}>
          <Button variant="quiet" icon="laptop" onClick={open('create-workspace')}>
            {t('demo.create')}
          </Button>
          <Button variant="quiet" icon="refresh" onClick={open('restart-demo')}>
            {t('demo.restart')}
          </Button>
          <Button variant="quiet" icon="trash" onClick={open('delete-demo')}>
            {t('demo.delete')}
          </Button>
        </div>
      </div>
    </Popover>
  )
}
