import { useEffect, useState } from 'react'
import type { UserId } from '#shared/lib/brand.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Portrait } from '../../people/index.ts'
import { askBlocked, unblock } from '../commands.ts'
import styles from '../Settings.module.css'

type Person = { readonly id: UserId; readonly name: string }

/** People the viewer has blocked, with a button to unblock each. */
export function Blocked() {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const [people, setPeople] = useState<readonly Person[]>()
  useEffect(() => {
    let isShown = true
    void dispatch(askBlocked()).then((answer) => isShown && answer.ok && setPeople(answer.value))
    return () => {
      isShown = false
    }
  }, [dispatch])
  const release = async ({ id, name }: Person): Promise<void> => {
    const done = await dispatch(unblock({ userId: id }))
    if (!done.ok) return
    setPeople((before) => before?.filter((person) => person.id !== id))
    announce(t('privacy.unblocked', { name }))
  }
  return (
    <section aria-labelledby="blocked-people">
      <h2 id="blocked-people">{t('privacy.blocked')}</h2>
      <p className={styles['hint']}>{people?.length === 0 ? t('privacy.nobodyBlocked') : t('privacy.blockedHint')}</p>
      {people === undefined || people.length === 0 ? null : (
        <ul>
          {people.map((person) => (
            <li key={person.id} className={styles['row']}>
              <Portrait userId={person.id} size={32} />
              <span className={styles['text']}>
                <span className={styles['name']}>{person.name}</span>
              </span>
              <Button aria-label={t('privacy.unblockName', { name: person.name })} onClick={() => void release(person)}>
                {t('privacy.unblock')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
