// npx fake-calendar exec -- mvn test    (spring-boot-starter-test, spring-web; your application has a bean of the type Calendar)
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.api.client.googleapis.json.GoogleJsonResponseException;
import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.api.client.json.gson.GsonFactory;
import com.google.api.services.calendar.Calendar;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;

@SpringBootTest
class SpringCalendarTest {
    static final String ADDRESS = System.getenv("FAKE_CALENDAR_URL");
    final RestClient control = RestClient.create(ADDRESS + "/w/spring/_control");
    @Autowired Calendar api;

    @TestConfiguration
    static class Fake {
        @Bean @Primary
        Calendar fakeCalendar() {
            return new Calendar.Builder(new NetHttpTransport(), GsonFactory.getDefaultInstance(),
                    request -> request.getHeaders().setAuthorization("Bearer spring~alice@example.com"))
                .setRootUrl(ADDRESS + "/").setApplicationName("tests").build();
        }
    }

    @Test
    void aCallIsRefusedOnce() throws Exception {
        control.post().uri("/reset").retrieve().toBodilessEntity();
        control.post().uri("/faults").contentType(MediaType.APPLICATION_JSON)
            .body("{\"on\": \"events.quickAdd\", \"do\": {\"fail\": \"rateLimitExceeded\"}}").retrieve().toBodilessEntity();

        assertThrows(GoogleJsonResponseException.class, () -> api.events().quickAdd("primary", "Lunch").execute());
        api.events().quickAdd("primary", "Lunch").execute();

        assertEquals(1, api.events().list("primary").execute().getItems().size());
        assertEquals(200, control.get().uri("/faults/verify").retrieve().toBodilessEntity().getStatusCode().value());
    }
}
