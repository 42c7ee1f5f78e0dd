{{/* Names and labels. A component's own label stands beside the selector. */}}
{{- define "compliance-desk.name" -}}
{{ printf "%s-compliance-desk" .Release.Name | trunc 45 | trimSuffix "-" }}
{{- end }}

{{- define "compliance-desk.selector" -}}
app.kubernetes.io/name: compliance-desk
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "compliance-desk.labels" -}}
{{ include "compliance-desk.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "compliance-desk.image" -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end }}

{{- define "compliance-desk.claim" -}}
{{ if .Values.volume.existingClaim }}{{ .Values.volume.existingClaim }}{{ else }}{{ include "compliance-desk.name" . }}-var{{ end }}
{{- end }}

{{/* What every pod has. Nothing here calls the cluster's interface. */}}
{{- define "compliance-desk.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- if .Values.image.pullSecrets }}
imagePullSecrets:
{{- range $name := .Values.image.pullSecrets }}
  - name: {{ $name | quote }}
{{- end }}
{{- end }}
{{- if .Values.nodeSelector }}
nodeSelector:
  {{- toYaml .Values.nodeSelector | nindent 2 }}
{{- end }}
{{- if .Values.tolerations }}
tolerations:
  {{- toYaml .Values.tolerations | nindent 2 }}
{{- end }}
{{- end }}

{{/* What every container has. The image is the same, the command is the container's own. */}}
{{- define "compliance-desk.container" -}}
image: {{ include "compliance-desk.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  privileged: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  capabilities:
    drop: [ALL]
  seccompProfile:
    type: RuntimeDefault
volumeMounts:
  - name: var
    mountPath: /data
  - name: tmp
    mountPath: /tmp
  - name: secrets
    mountPath: /run/secrets/desk
    readOnly: true
{{- end }}

{{/* Settings for the ConfigMap, and for the migration, which runs before there is one. */}}
{{- define "compliance-desk.settings" -}}
VAR: /data
CELERY_BROKER_URL: {{ .Values.redis.brokerUrl | quote }}
REDIS_URL: {{ .Values.redis.cacheUrl | quote }}
REDIS_PASSWORD_FILE: /run/secrets/desk/redis_password
SECRET_KEY_FILE: /run/secrets/desk/secret_key
ENCRYPTION_KEY_FILE: /run/secrets/desk/encryption_key
DATABASE_PASSWORD_FILE: /run/secrets/desk/database_password
{{- if .Values.objectStore.enabled }}
DOCUMENT_STORAGE: compliance.storage.object_store.ObjectStorage
DOCUMENT_STORAGE_OPTIONS: {{ toJson .Values.objectStore.options | quote }}
{{- end }}
{{- range $name, $value := .Values.settings }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- range $name, $entry := .Values.secrets.files }}
{{ $name }}: {{ printf "/run/secrets/desk/%s" $entry | quote }}
{{- end }}
{{- end }}

{{/* Variables of libraries, by reference to the secret. */}}
{{- define "compliance-desk.secretVariables" -}}
{{- range $name, $entry := .Values.secrets.environment }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $.Values.secrets.existingSecret | quote }}
      key: {{ $entry | quote }}
{{- end }}
{{- end }}

{{/* The environment of web, workers and beat. */}}
{{- define "compliance-desk.environment" -}}
envFrom:
  - configMapRef:
      name: {{ include "compliance-desk.name" . }}
env:
  - name: DATABASE_URL
    value: {{ .Values.database.url | quote }}
  {{- include "compliance-desk.secretVariables" . | nindent 2 }}
{{- end }}

{{/* Entries of the secret that all read; the database's password is each pod's own. */}}
{{- define "compliance-desk.secretItems" -}}
- key: {{ .Values.secrets.keys.secretKey | quote }}
  path: secret_key
- key: {{ .Values.secrets.keys.encryptionKey | quote }}
  path: encryption_key
- key: {{ .Values.secrets.keys.redisPassword | quote }}
  path: redis_password
{{- range $name, $entry := .Values.secrets.files }}
- key: {{ $entry | quote }}
  path: {{ $entry | quote }}
{{- end }}
{{- end }}

{{/* The volumes of web, workers and beat. */}}
{{- define "compliance-desk.volumes" -}}
- name: var
  persistentVolumeClaim:
    claimName: {{ include "compliance-desk.claim" . | quote }}
- name: tmp
  emptyDir:
    sizeLimit: 1Gi
- name: secrets
  secret:
    secretName: {{ .Values.secrets.existingSecret | quote }}
    defaultMode: 0440
    items:
      - key: {{ .Values.secrets.keys.databasePassword | quote }}
        path: database_password
      {{- include "compliance-desk.secretItems" . | nindent 6 }}
{{- end }}

{{/* Pods start again when settings change. */}}
{{- define "compliance-desk.checksum" -}}
checksum/settings: {{ include "compliance-desk.settings" . | sha256sum }}
{{- end }}
