#!/bin/bash

# After the program's files are gone. Also runs when a newer version has just taken their place: dpkg then says
# "upgrade", rpm how many versions remain. The link and the profile of AppArmor are those of the newer one.
case "$1" in
  '' | 0 | remove | purge) ;;
  *) exit 0 ;;
esac

if type update-alternatives >/dev/null 2>&1; then
  update-alternatives --remove '${executable}' '/opt/${sanitizedProductName}/${executable}' >/dev/null 2>&1 || true
fi
if [ -L '/usr/bin/${executable}' ] && [ ! -e '/usr/bin/${executable}' ]; then
  rm -f '/usr/bin/${executable}'
fi

profile='/etc/apparmor.d/${executable}'
if [ -f "$profile" ]; then
  # Not in a chroot, where the profiles of the running kernel are those of another system.
  if apparmor_status --enabled >/dev/null 2>&1 && ! { [ -x /usr/bin/ischroot ] && /usr/bin/ischroot; }; then
    apparmor_parser --remove "$profile" || true
  fi
  rm -f "$profile"
fi

if hash update-desktop-database 2>/dev/null; then
  update-desktop-database /usr/share/applications || true
fi
exit 0
