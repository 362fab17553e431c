import { useEffect, useRef, useState, type RefObject } from 'react'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import type { LocalPerson } from '#shared/domain/session.ts'
import { useErrorText, useFormats, useRemark, useTexts } from '../../i18n/index.ts'
import { openBrowserWindow } from '../../lib/page/environment.ts'
import { useDelayed } from '../../lib/time/clocks.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { useAppDispatch, useMe, useMediaUrl } from '../../store/hooks.ts'
import { dialogClosed } from '../../store/window/ui.ts'
import { Avatar } from '../../ui/Avatar/Avatar.tsx'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog, DialogText, Refusal } from '../../ui/Dialog/Dialog.tsx'
import { Spinner } from '../../ui/View/Empty.tsx'
import { AddPerson } from './AddPerson.tsx'
import { listLocalPeople, openWindowAs } from './commands.ts'
import styles from './Session.module.css'

/** Opens a second window of the local workspace, signed in as someone else, to try the conversation from both sides. */
export function OpenAsDialog({ adding = false }: { readonly adding?: boolean }) {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  const { people, error: loadError, include } = useLocalPeople()
  const formMessage = useRemark()
  const [blocked, setBlocked] = useState<{ readonly url: string; readonly name: string }>()
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  useFirstFocus(people !== undefined, list, field)
  const close = (): void => void dispatch(dialogClosed())
  const open = async (person: LocalPerson): Promise<void> => {
    const opened = await dispatch(openWindowAs({ userId: person.id }))
    if (!opened.ok) return formMessage.refuse(opened.error)
    const { url } = opened.value
    if (url === undefined || openBrowserWindow(url)) close()
    else setBlocked({ url, name: person.name })
  }
  if (blocked !== undefined) return <Blocked {...blocked} onClose={close} />
  return (
    <Dialog
      title={t(adding ? 'addPerson.title' : 'openAs.title')}
      width={400}
      initialFocus={adding ? field : list}
      onClose={close}
    >
      <DialogText muted>
        {t(
          adding ? 'addPerson.text' : people?.length === 0 && loadError === undefined ? 'openAs.nobody' : 'openAs.text',
        )}
      </DialogText>
      <Refusal text={formMessage.text ?? loadError} />
      <PeopleList people={people} listRef={list} onOpen={(person) => void open(person)} />
      <AddPerson fieldRef={field} onAdded={include} />
    </Dialog>
  )
}

/** Moves the initial focus to the first person, or to the field if there is none, unless the user has moved it. */
function useFirstFocus(
  isListed: boolean,
  list: RefObject<HTMLElement | null>,
  field: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    if (!isListed || list.current === null || document.activeElement !== list.current) return
    const first = list.current.querySelector('button') ?? field.current
    first?.focus()
  }, [isListed, list, field])
}

type ListProps = {
  readonly people: readonly LocalPerson[] | undefined
  readonly listRef: RefObject<HTMLUListElement | null>
  readonly onOpen: (person: LocalPerson) => void
}

function PeopleList({ people, listRef, onOpen }: ListProps) {
  const t = useTexts('session')
  const waiting = useDelayed(people === undefined, 150)
  const roving = useRoving({ ids: (people ?? []).map((person) => person.id) })
  const { ref, ...listeners } = roving.containerProps
  return (
    <>
      {waiting ? <Spinner /> : null}
      <ul
        ref={(element) => {
          ref.current = element
          listRef.current = element
        }}
        tabIndex={-1}
        aria-label={t('addPerson.title')}
        aria-busy={people === undefined}
        className={styles['people']}
        {...listeners}
      >
        {people?.map((person) => (
          <li key={person.id}>
            <button
              type="button"
              className={styles['person']}
              {...roving.itemProps(person.id)}
              onClick={() => onOpen(person)}
            >
              <Face person={person} />
              <span>
                <span className={styles['name']}>{person.name}</span>
                {person.title === undefined ? null : <span className={styles['more']}>{person.title}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

type BlockedProps = { readonly url: string; readonly name: string; readonly onClose: () => void }

/** The browser blocked a window without a user gesture; this button is one. */
function Blocked({ url, name, onClose }: BlockedProps) {
  const t = useTexts('session')
  return (
    <Dialog
      title={t('openAs.title')}
      width={400}
      onClose={onClose}
      actions={
        <Button variant="primary" onClick={() => openBrowserWindow(url) && onClose()}>
          {t('openAs.open', { name })}
        </Button>
      }
    >
      <DialogText muted>{t('openAs.blocked')}</DialogText>
    </Dialog>
  )
}

function Face({ person: { id, name, image } }: { readonly person: LocalPerson }) {
  const { url, onError } = useMediaUrl(image, 'thumb')
  return <Avatar id={id} name={name} size={32} src={url} onError={onError} />
}

type LocalPeople = {
  readonly people: readonly LocalPerson[] | undefined
  readonly error: string | undefined
  /** Adds a new person at the end of the list. */
  readonly include: (person: LocalPerson) => void
}

/** Everyone in the local workspace except the user of this window. */
function useLocalPeople(): LocalPeople {
  const dispatch = useAppDispatch()
  const errorText = useErrorText()
  const { compare } = useFormats()
  const me = useMe()?.id
  const [listed, setListed] = useState<Result<readonly LocalPerson[], ErrorBody>>()
  const [added, setAdded] = useState<readonly LocalPerson[]>([])
  const include = (person: LocalPerson): void => setAdded((before) => [...before, person])
  useEffect(() => {
    void dispatch(listLocalPeople(undefined)).then(setListed)
  }, [dispatch])
  if (listed === undefined) return { people: undefined, error: undefined, include }
  if (!listed.ok) return { people: added, error: errorText(listed.error), include }
  const others = listed.value
    .filter((person) => person.id !== me && added.every(({ id }) => id !== person.id))
    .toSorted((a, b) => compare(a.name, b.name))
  return { people: [...others, ...added], error: undefined, include }
}
