import { useEffect, useState } from 'react'
import type { FoundWorkspace, FoundWorkspaces } from '#shared/domain/sharing.ts'
import { useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useHost } from '../../../store/hooks.ts'
import { addAccountClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Spinner } from '../../../ui/View/Spinner.tsx'
import { findNearby, reopenNearby } from './commands.ts'
import styles from './Sharing.module.css'

/** How often it is asked what was heard: main listens only while somebody asks. */
const ASK_EVERY_MS = 1_500
/** After so many answers without a workspace, it is said how its owner makes it visible. */
const PATIENCE = 3

/**
 * Workspaces that are announced on the network, once the user wants to look. Anyone can announce any name, so nothing here
 * leads in: those who have joined a workspace open it, and everyone else needs the invitation.
 */
export function NearbyWorkspaces() {
  const t = useTexts('session')
  const [looks, setLooks] = useState(false)
  const managed = useHost().managed?.values
  if (managed?.AllowLanExposure === false || managed?.LockServerList === true) return null
  return (
    <div className={styles['nearby']}>
      {looks ? (
        <Found />
      ) : (
        <Button block icon="search" onClick={() => setLooks(true)}>
          {t('nearby.look')}
        </Button>
      )}
    </div>
  )
}

function Found() {
  const t = useTexts('session')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const message = useRemark()
  const { state, asked } = useNearby()
  const found = (state?.found ?? []).toSorted((a, b) => formats.compare(a.name, b.name))
  const count = found.length
  useEffect(() => {
    if (count > 0) announce(t('nearby.count', { count }))
  }, [count, t])
  const open = async ({ id }: FoundWorkspace): Promise<void> => {
    const opened = await dispatch(reopenNearby({ id }))
    if (opened.ok) dispatch(addAccountClosed())
    else message.refuse(opened.error)
  }
  return (
    <section aria-labelledby="nearby-title">
      <h2 id="nearby-title" className={styles['strong']}>
        {t('nearby.title')}
      </h2>
      {state?.isFailed === true ? (
        <p className={styles['more']}>{t('nearby.failed')}</p>
      ) : count === 0 ? (
        <p className={styles['looking']}>
          <Spinner size={14} />
          <span className={styles['more']}>{t(asked < PATIENCE ? 'nearby.looking' : 'nearby.none')}</span>
        </p>
      ) : (
        <>
          <ul className={styles['found']}>
            {found.map((each) => (
              <li key={each.id}>
                <Icon name="laptop" size={18} />
                <span className={styles['grow']}>
                  <span className={styles['strong']}>{each.name}</span>
                  <span className={styles['more']}>
                    {t('nearby.sharedBy', { owner: each.owner, address: each.address })}
                  </span>
                </span>
                {each.known ? (
                  <Button
                    size="small"
                    aria-label={t('nearby.openWho', { name: each.name })}
                    onClick={() => void open(each)}
                  >
                    {t('join.open')}
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
          {state?.isCut === true ? <p className={styles['more']}>{t('nearby.cut')}</p> : null}
          <p className={styles['more']}>{t('nearby.hint')}</p>
        </>
      )}
      {message.text === undefined ? null : <p role="alert">{message.text}</p>}
    </section>
  )
}

/** What has been heard so far; it is asked for as long as this is shown. */
function useNearby(): { readonly state: FoundWorkspaces | undefined; readonly asked: number } {
  const dispatch = useAppDispatch()
  const [known, setKnown] = useState<{ readonly state?: FoundWorkspaces; readonly asked: number }>({ asked: 0 })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    const ask = async (): Promise<void> => {
      const result = await dispatch(findNearby(undefined))
      if (isGone) return
      const failed: FoundWorkspaces = { found: [], isCut: false, isFailed: true }
      setKnown(({ asked }) => ({ state: result.ok ? result.value : failed, asked: asked + 1 }))
      timer = setTimeout(() => void ask(), ASK_EVERY_MS)
    }
    void ask()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [dispatch])
  return { state: known.state, asked: known.asked }
}
