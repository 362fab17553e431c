import { useEffect, useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { Result } from '#shared/lib/result.ts'
import type { LocalPerson } from '#shared/domain/session.ts'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { useDelayed } from '../../lib/latch.ts'
import { useRoving } from '../../lib/roving.ts'
import { useAppDispatch, useMe } from '../../store/hooks.ts'
import { dialogClosed } from '../../store/ui.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Dialog, DialogText } from '../../ui/Dialog.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { listLocalPeople, openWindowAs } from './commands.ts'
import styles from './Session.module.css'

/** Opens a second window of the local workspace, signed in as somebody else, to try the conversation from both sides. */
export function OpenAsDialog() {
  const t = useTexts('session')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const { people, error: loadError } = useLocalPeople()
  const [error, setError] = useState<string>()
  const waiting = useDelayed(people === undefined, 150)
  const roving = useRoving({ ids: (people ?? []).map((person) => person.id) })
  const { ref, ...listeners } = roving.containerProps
  const close = (): void => void dispatch(dialogClosed())
  const open = async (person: LocalPerson): Promise<void> => {
    const opened = await dispatch(openWindowAs({ userId: person.id }))
    if (opened.ok) close()
    else setError(errorText(opened.error))
  }
  return (
    <Dialog title={t('openAs.title')} width={400} onClose={close}>
      <DialogText muted>{t('openAs.text')}</DialogText>
      {(error ?? loadError) === undefined ? null : (
        <p role="alert" className={styles['error']}>
          {error ?? loadError}
        </p>
      )}
      {waiting ? <Spinner /> : null}
      <ul
        ref={(element) => {
          ref.current = element
        }}
        className={styles['people']}
        {...listeners}
      >
        {people?.map((person) => (
          <li key={person.id}>
            <button
              type="button"
              className={styles['person']}
              {...roving.itemProps(person.id)}
              onClick={() => void open(person)}
            >
              <Avatar id={person.id} name={person.name} size={32} />
              <span>
                <span className={styles['name']}>{person.name}</span>
                {person.title === undefined ? null : <span className={styles['more']}>{person.title}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** Everybody in the local workspace but the person of this window. */
function useLocalPeople(): { readonly people: readonly LocalPerson[] | undefined; readonly error: string | undefined } {
  const dispatch = useAppDispatch()
  const errorText = useErrorText()
  const me = useMe()?.id
  const [listed, setListed] = useState<Result<readonly LocalPerson[], ErrorBody>>()
  useEffect(() => {
    void dispatch(listLocalPeople(undefined)).then(setListed)
  }, [dispatch])
  if (listed === undefined) return { people: undefined, error: undefined }
  if (!listed.ok) return { people: [], error: errorText(listed.error) }
  return { people: listed.value.filter((person) => person.id !== me), error: undefined }
}
