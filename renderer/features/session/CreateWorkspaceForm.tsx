import { useState, useEffect, useRef, type RefObject } from 'react'
import type { SmallPicture } from '#shared/bridge/schemas.ts'
import { WORKSPACE_NAME_LENGTH, PERSON_NAME_LENGTH } from '#shared/constants.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import { plainPersonId } from '#shared/rules/people/people.ts'
import { useRemark, useTexts } from '../../i18n/index.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { focusOnce } from '../../lib/page/focus.ts'
import { TextField } from '../../ui/Field/TextField.tsx'
import { createWorkspace, askSystemName } from './commands.ts'
import { fromBase64 } from '../../lib/files/base64.ts'
import { announce } from '../../lib/page/announce.ts'
import { Avatar } from '../../ui/Avatar/Avatar.tsx'
import { PictureInput, pictureFrom } from '../../ui/Field/PictureField.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { useMenu } from '../../ui/Menu/Menu.tsx'
import styles from './Onboarding.module.css'

/** Creates a local workspace on this device: the only question is its name. */
export function CreateWorkspaceForm({
  identity,
  onBack,
}: {
  readonly identity: Identity
  readonly onBack: () => void
}) {
  const t = useTexts('session')
  const form = useCreateWorkspace({ yourName: identity.name, picture: identity.picture })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit()
      }}
    >
      <FormHead title={t('local.title')} lead={t('local.lead')} onBack={onBack} />
      <CreateWorkspaceFields form={form} />
      <Button type="submit" variant="primary" size="large" block working={form.working}>
        {t('local.make')}
      </Button>
    </form>
  )
}

/** The field, also used by `CreateWorkspaceDialog`. */
export function CreateWorkspaceFields({ form }: { readonly form: ReturnType<typeof useCreateWorkspace> }) {
  const t = useTexts('session')
  return (
    <TextField
      label={t('local.name')}
      value={form.name}
      maxLength={WORKSPACE_NAME_LENGTH}
      ref={focusOnce}
      autoComplete="off"
      placeholder={t('local.namePlaceholder')}
      hint={t('local.hint')}
      error={form.error}
      onChange={form.setName}
    />
  )
}

type Owner = { readonly yourName: string; readonly picture?: SmallPicture }

export function useCreateWorkspace({ yourName, picture }: Owner) {
  const dispatch = useAppDispatch()
  const t = useTexts('session')
  const [name, setName] = useState('')
  const message = useRemark((own: 'nameMissing') => t(`local.${own}`))
  const [working, setWorking] = useState(false)
  /** Resolves with whether the workspace was created. */
  const submit = async (): Promise<boolean> => {
    if (working) return false
    if (isBlank(name)) {
      message.show('nameMissing')
      return false
    }
    setWorking(true)
    const made = await dispatch(createWorkspace({ name: name.trim(), yourName: yourName.trim(), picture }))
    setWorking(false)
    if (!made.ok) message.refuse(made.error)
    return made.ok
  }
  const change = (text: string): void => {
    setName(text)
    message.clear()
  }
  return { name, setName: change, error: message.text, working, submit }
}

type Props = { readonly title: string; readonly lead: string; readonly onBack: () => void }

export function FormHead({ title, lead, onBack }: Props) {
  const t = useTexts('common')
  return (
    <>
      <div className={styles['back']}>
        <Button variant="quiet" size="small" icon="arrow-left" onClick={onBack}>
          {t('back')}
        </Button>
      </div>
      <h1 className={styles['title']}>{title}</h1>
      <p className={styles['lead']}>{lead}</p>
    </>
  )
}

/** Who the user is in the workspaces that they start from here. */
export type Identity = {
  readonly name: string
  readonly setName: (name: string) => void
  readonly picture: SmallPicture | undefined
  /** An address of the photo, for this window. */
  readonly preview: string | undefined
  readonly choose: (file: File | undefined) => Promise<void>
  /** What is wrong with the name or the photo. */
  readonly error: string | undefined
  readonly field: RefObject<HTMLInputElement | null>
  /** Whether there is a name; if not, the field says so and gets the focus. */
  readonly check: () => boolean
}

/** The name is that of the user's account on this device until they type another. */
export function useIdentity(): Identity {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  const field = useRef<HTMLInputElement>(null)
  const isTyped = useRef(false)
  const [name, setName] = useState('')
  const [photo, setPhoto] = useState<{ readonly picture: SmallPicture; readonly preview: string }>()
  const message = useRemark((own: 'missing') => t(`identity.${own}`))
  useEffect(() => {
    const fill = async (): Promise<void> => {
      const known = await dispatch(askSystemName(undefined))
      if (!known.ok || known.value === '' || isTyped.current) return
      setName(known.value)
      // Once it is in the field: typing replaces it.
      requestAnimationFrame(() => {
        if (!isTyped.current && document.activeElement === field.current) field.current?.select()
      })
    }
    void fill()
  }, [dispatch])
  useEffect(() => {
    if (photo === undefined) return
    return () => URL.revokeObjectURL(photo.preview)
  }, [photo])
  return {
    name,
    setName(text) {
      isTyped.current = true
      setName(text)
      message.clear()
    },
    picture: photo?.picture,
    preview: photo?.preview,
    async choose(file) {
      message.clear()
      try {
        setPhoto(file === undefined ? undefined : withPreview(await pictureFrom(file)))
        if (file !== undefined) announce(t('identity.chosen'))
      } catch {
        // The browser could not decode the picture.
        message.refuse({ code: 'picture/unreadable' })
      }
    },
    error: message.text,
    field,
    check() {
      if (!isBlank(name)) return true
      message.show('missing')
      field.current?.focus()
      return false
    },
  }
}

const withPreview = (picture: SmallPicture) => ({
  picture,
  preview: URL.createObjectURL(new Blob([fromBase64(picture.base64)], { type: picture.mimeType })),
})

type IdentityFieldsProps = {
  readonly identity: Identity
  /** The name has the focus when the page opens. */
  readonly focused: boolean
  /** Enter in the name field. */
  readonly onEnter?: () => void
}

/** The name, and the portrait before it, which shows the initials until there is a photo. */
export function IdentityFields({ identity, focused, onEnter }: IdentityFieldsProps) {
  const t = useTexts('session')
  const { field, name } = identity
  useEffect(() => {
    if (focused) field.current?.focus({ preventScroll: true })
  }, [field, focused])
  return (
    <div className={styles['identity']}>
      <TextField
        ref={field}
        label={t('identity.name')}
        value={name}
        maxLength={PERSON_NAME_LENGTH}
        autoComplete="name"
        spellCheck={false}
        hint={t('identity.hint')}
        error={identity.error}
        onChange={identity.setName}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          onEnter?.()
        }}
      />
      <PortraitButton identity={identity} />
    </div>
  )
}

/** Opens the files; once there is a photo, a menu to change or remove it. */
function PortraitButton({ identity: { name, picture, preview, choose } }: Pick<IdentityFieldsProps, 'identity'>) {
  const t = useTexts('session')
  const files = useRef<HTMLInputElement>(null)
  const open = (): void => files.current?.click()
  const menu = useMenu({
    label: t('identity.change'),
    items: () => [
      { id: 'another', label: t('identity.another'), icon: 'image', onSelect: open },
      { id: 'remove', label: t('identity.remove'), icon: 'trash', onSelect: () => void choose(undefined) },
    ],
  })
  return (
    <>
      <button
        type="button"
        className={styles['portrait']}
        aria-label={t(picture === undefined ? 'identity.choose' : 'identity.change')}
        {...(picture === undefined ? { onClick: open } : menu.triggerProps)}
      >
        {picture === undefined && isBlank(name) ? (
          <span className={styles['nobody']}>
            <Icon name="user" size={28} />
          </span>
        ) : (
          <Avatar id={plainPersonId(name)} name={name} size={72} src={preview} />
        )}
        <span className={styles['camera']}>
          <Icon name="camera" size={16} />
        </span>
      </button>
      {menu.menu}
      <PictureInput ref={files} onChoose={(file) => void choose(file)} />
    </>
  )
}
