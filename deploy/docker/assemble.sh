#!/bin/sh
# Lays out the image's root: assemble.sh BUILT PRODUCTION IMAGE. Run by the Dockerfile.
#   IMAGE/root   Node, the shared libraries it and our packages are linked to, the built services
#   IMAGE/owned  folders that the services' user owns; volumes are mounted there
set -eu
built=$1 production=$2 root=$3/root owned=$3/owned
app=$root/app
mkdir -p "$app" "$root/etc" "$root/var/lib/dpkg/status.d" "$owned/data" "$owned/trust" "$owned/token"

cp -R "$production/node_modules" "$production/sbom.cdx.json" "$app"
cd "$built"
for package in proto packages/* gateway services/* deploy/admin deploy/docker deploy/standalone; do
  mkdir -p "$app/$package"
  cp -R "$package/dist" "$package/package.json" "$app/$package"
done
# Links to packages that are not in the image.
find "$app/node_modules/@einvoicing" -xtype l -delete

# What only developers read. Licences stay.
find "$app" -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.tsbuildinfo' \
  -o -name '*.markdown' -o \( -name '*.md' ! -iname '*license*' ! -iname '*licence*' \) \) -delete
rm -rf "$app"/node_modules/.bin "$app"/node_modules/.package-lock.json "$app"/node_modules/@types
find "$app/node_modules" -type d \( -name test -o -name tests -o -name __tests__ -o -name example -o -name examples \
  -o -name obj.target -o -name .deps \) -prune -exec rm -rf {} +
# The same once more, for bundlers.
rm -rf "$app"/node_modules/@opentelemetry/*/build/esm "$app"/node_modules/@opentelemetry/*/build/esnext
# Fonts that no document is drawn with.
find "$app/node_modules" -name '*.ttf' | while read -r font; do
  grep -qrF "${font##*/}" "$app/services/artefacts/dist" || rm "$font"
done
find "$app/node_modules" -type d -empty -delete

mkdir -p "$root/usr/local/bin"
cp /usr/local/bin/node "$root/usr/local/bin/node"
cp -R /usr/local/LICENSE "$root/usr/local/LICENSE.node" 2>/dev/null || true
# The loader asks for each library by the path it has here, links followed.
linked=$(find "$app" -name '*.node' -exec ldd {} + | awk '/=> \//{print $3}'; ldd /usr/local/bin/node |
  awk '/=> \//{print $3} /^[[:space:]]*\//{print $1}')
for library in $(printf '%s\n' "$linked" | sort -u); do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done

# So that scanners know whose libraries these are.
cp -L /etc/os-release "$root/etc/os-release"
for package in libc6 libgcc-s1 libstdc++6; do
  dpkg-query --status "$package" >"$root/var/lib/dpkg/status.d/$package" || rm "$root/var/lib/dpkg/status.d/$package"
done
echo 'nonroot:x:65532:65532::/nonexistent:/nonexistent' >"$root/etc/passwd"
echo 'nonroot:x:65532:' >"$root/etc/group"
mkdir -m 1777 "$root/tmp"

# An empty volume takes the owner of the folder it is mounted on; one file in it, and it is empty no more for those
# who mount it next.
for volume in mongodb nats minio prometheus grafana; do
  mkdir -p "$owned/volumes/$volume"
  touch "$owned/volumes/$volume/.owned"
done
