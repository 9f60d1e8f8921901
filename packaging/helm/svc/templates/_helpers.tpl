{{- define "svc.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "svc.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 57 | trimSuffix "-" -}}
{{- else if contains (include "svc.name" .) .Release.Name -}}
{{- .Release.Name | trunc 57 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "svc.name" .) | trunc 57 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "svc.selector" -}}
app.kubernetes.io/name: {{ include "svc.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "svc.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "svc.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{/* server.toml. A value in JSON is one in TOML. */}}
{{- define "svc.settings" -}}
listen = "0.0.0.0:8080"
data = "/var/lib/svc"
{{- range $key, $value := .Values.server }}
{{ $key }} = {{ toJson $value }}
{{- end }}
{{- if .Values.admin.enabled }}

[admin]
listen = "0.0.0.0:8081"
{{- with .Values.admin.origin }}
origin = {{ toJson . }}
{{- end }}
{{- if eq .Values.store.kind "postgresql" }}
store_env = "SVC_STORE"
{{- end }}
{{- end }}
{{- with .Values.objects }}
{{- if or (ne $.Values.store.kind "postgresql") (not $.Values.admin.enabled) }}
{{- fail "objects: an object store needs PostgreSQL; set store.kind to postgresql and admin.enabled" }}
{{- end }}

[objects]
{{- range $key, $value := . }}
{{ $key }} = {{ toJson $value }}
{{- end }}
{{- if $.Values.objectsSecret }}
secret_key_env = "SVC_OBJECTS_SECRET_KEY"
{{- end }}
{{- end }}

{{ .Values.settings }}
{{- end -}}

{{/* The pods, which are the same in both kinds. */}}
{{- define "svc.pod" -}}
metadata:
  labels:
    {{- include "svc.labels" . | nindent 4 }}
  annotations:
    checksum/settings: {{ include "svc.settings" . | sha256sum }}
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 65532
    runAsGroup: 65532
    fsGroup: 65532
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
  containers:
    - name: svc-server
      image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      args: ["--config", "/etc/svc/server.toml"]
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: ["ALL"]
      {{- if eq .Values.store.kind "postgresql" }}
      env:
        - name: SVC_STORE
          valueFrom:
            secretKeyRef:
              name: {{ required "store.existingSecret: the name of a Secret with the URL of the database" .Values.store.existingSecret }}
              key: {{ .Values.store.existingSecretKey }}
        {{- if and .Values.objects .Values.objectsSecret }}
        - name: SVC_OBJECTS_SECRET_KEY
          valueFrom:
            secretKeyRef:
              name: {{ .Values.objectsSecret }}
              key: secret_key
        {{- end }}
      {{- end }}
      {{- with .Values.envFromSecret }}
      envFrom:
        - secretRef:
            name: {{ . }}
      {{- end }}
      ports:
        - name: http
          containerPort: 8080
        {{- if .Values.admin.enabled }}
        - name: admin
          containerPort: 8081
        {{- end }}
      # The first sites are served as soon as they are built.
      readinessProbe:
        httpGet:
          path: /_svc/ready
          port: http
        periodSeconds: 5
        timeoutSeconds: 3
      livenessProbe:
        httpGet:
          path: /_svc/health
          port: http
        periodSeconds: 10
        timeoutSeconds: 3
        failureThreshold: 6
      {{- with .Values.resources }}
      resources:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      volumeMounts:
        - name: settings
          mountPath: /etc/svc
          readOnly: true
        - name: data
          mountPath: /var/lib/svc
        {{- with .Values.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    - name: settings
      configMap:
        name: {{ include "svc.fullname" . }}
    {{- if eq .Values.store.kind "postgresql" }}
    - name: data
      emptyDir:
        sizeLimit: {{ .Values.persistence.size }}
    {{- end }}
    {{- with .Values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
